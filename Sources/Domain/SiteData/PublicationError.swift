import Encoding
import SiteRules

/// Why a publication is refused. Nothing of a refused publication may be used.
public enum PublicationError: Error, Hashable, Sendable {
    /// There is no signed structure at the beginning, or it is not in its one form.
    case notAPublication
    /// The signed structure is longer than `SitePublication.longestManifest`.
    case manifestTooLong
    /// The site key did not sign it.
    case badSignature
    /// It was signed by the site key for something else than a publication.
    case wrongContentType
    /// The manifest lacks a field, or has one of a wrong type or range.
    case malformedManifest
    /// The format is not known to this version.
    case unsupportedFormat(UInt64)
    /// It is the publication of another site.
    case wrongSite
    /// The body has more bytes than the manifest says.
    case bodyTooLong
    /// The input ended before the body did.
    case truncated
    /// The body has another SHA-256 than the manifest says.
    case wrongBodyHash
    /// The body has other numbers of records than the manifest says.
    case wrongCounts
    /// A record is longer than `SitePublication.longestRecord`.
    case recordTooLong(offset: UInt64)
    /// A record is not deterministic CBOR, or has a wrong shape or value; the offset is that in the body.
    case malformedRecord(offset: UInt64)
    /// A name of a record has something in it that nobody would see, or a loose blank (`NameRule`).
    case forbiddenName(String, NameFlaw)
    /// A record is of a kind that this version does not know.
    case unknownRecord(offset: UInt64)
    /// An issuer of tokens and an issuer of gates have the same name.
    case sharedIssuer(String)
    /// A key speaks for two: the site, a gate, an issuer, a person.
    case keyOfTwoRoles(thumbprint: [UInt8])
    /// The rules together are longer than `SitePublication.longestRules`.
    case rulesTooLong
    /// Two records decide about one thing; the words say about which.
    case duplicateRule(SiteRulesError)
    /// The reader was given more after it had refused or finished.
    case finished
}

extension PublicationError {
    /// Stable code for logs.
    public var code: String {
        switch self {
        case .notAPublication: "publication-not-one"
        case .manifestTooLong: "publication-manifest-too-long"
        case .badSignature: "publication-bad-signature"
        case .wrongContentType: "publication-wrong-content-type"
        case .malformedManifest: "publication-malformed-manifest"
        case .unsupportedFormat: "publication-unsupported-format"
        case .wrongSite: "publication-wrong-site"
        case .bodyTooLong: "publication-body-too-long"
        case .truncated: "publication-truncated"
        case .wrongBodyHash: "publication-wrong-body-hash"
        case .wrongCounts: "publication-wrong-counts"
        case .recordTooLong: "publication-record-too-long"
        case .malformedRecord: "publication-malformed-record"
        case .forbiddenName: "publication-name-forbidden"
        case .unknownRecord: "publication-unknown-record"
        case .sharedIssuer: "publication-shared-issuer"
        case .keyOfTwoRoles: "publication-key-of-two-roles"
        case .rulesTooLong: "publication-rules-too-long"
        case .duplicateRule: "publication-duplicate-rule"
        case .finished: "publication-finished"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .notAPublication: "The file is not a publication of a site."
        case .manifestTooLong: "The manifest of the publication is too long."
        case .badSignature: "The publication was not signed by the key of this site."
        case .wrongContentType: "The signed file is something else than a publication."
        case .malformedManifest: "The manifest of the publication is not complete or not valid."
        case .unsupportedFormat(let format): "This version does not read publications of format \(format)."
        case .wrongSite: "The publication is that of another site."
        case .bodyTooLong: "The publication is longer than its manifest says."
        case .truncated: "The publication ends too early."
        case .wrongBodyHash: "The contents of the publication are not those that were signed."
        case .wrongCounts: "The publication has other numbers of records than its manifest says."
        case .recordTooLong(let offset): "The record at byte \(offset) of the publication's body is too long."
        case .malformedRecord(let offset): "The record at byte \(offset) of the publication's body is not valid."
        case .forbiddenName(let name, let flaw): "The name \(PrintedText.line("'\(name)'")) in the publication \(flaw.complaint)."
        case .unknownRecord(let offset): "The record at byte \(offset) of the publication's body is of an unknown kind: it was made for a newer version of the gate."
        case .sharedIssuer(let name): "The publication names \(name) as issuer of tokens and of gates."
        case .keyOfTwoRoles(let thumbprint):
            "The publication gives the key \(Hex.encode(thumbprint)) two roles: that of a gate or an issuer, and another one."
        case .rulesTooLong: "The rules of the publication are longer than \(SitePublication.longestRules) bytes together."
        case .duplicateRule(let error): "In the publication \(error.message)"
        case .finished: "The publication was read to its end already."
        }
    }
}
