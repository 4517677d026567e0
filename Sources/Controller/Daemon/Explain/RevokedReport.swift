import Credentials
import Encoding
import Storage

/// A revocation in force: what it takes back, and since which publication as far as anybody can say.
struct RevokedReport {
    let revoked: TrustSearch.Revoked

    /// What it takes back, in one word.
    var what: String {
        switch revoked.revocation {
        case .token: "token"
        case .issued: "issued"
        case .subject: "subject"
        case .suspended: "suspended"
        case .key: "key"
        case .issuer: "issuer"
        }
    }

    /// A sentence for people.
    var sentence: String {
        let fact = switch revoked.revocation {
        case .token: "This token is revoked"
        case .issued: "This token is revoked by its issuer's number of it"
        case .subject(let subject): "Everything of \(subject) is revoked"
        case .suspended(let subject): "\(subject) is suspended"
        case .key: "This key is revoked"
        case .issuer(let issuer): "Every token of '\(issuer)' is revoked"
        }
        return "\(fact), \(source)."
    }

    private var source: String {
        let by = revoked.by
        let issued = "issued \(UTCText.make(seconds: by.issuedAt))" + (by.appliedAt.map { ", in use here since \(UTCText.make(seconds: $0))" } ?? "")
        if by.origin == .siteFile { return "by the site's file, as it is since \(UTCText.make(seconds: by.issuedAt))" }
        if revoked.isOfSite { return "by the site itself, offline; publication \(by.version) (\(issued)) says so" }
        guard let after = revoked.after else { return "by publication \(by.version) at the latest (\(issued))" }
        return "by a publication after \(after.version) (issued \(UTCText.make(seconds: after.issuedAt))) and up to \(by.version) (\(issued))"
    }

    /// For programs.
    var json: JSON {
        var fields: JSONObject = ["what": .string(what), "ofSite": .bool(revoked.isOfSite), "version": .integer(Int64(clamping: revoked.by.version)),
                                  "issued": .string(UTCText.make(seconds: revoked.by.issuedAt)), "message": .string(sentence)]
        fields["applied"] = revoked.by.appliedAt.map { .string(UTCText.make(seconds: $0)) }
        fields["after"] = revoked.after.map { .integer(Int64(clamping: $0.version)) }
        return .object(fields)
    }
}
