import CommandLineOptions
import Encoding
import PhoneTool

/// What is said about an access. Nothing of its code, its key or its token.
struct AccessReport {
    private let access: WalletAccess
    private let state: WalletAccess.State?
    private let now: Int64

    /// - Parameters:
    ///   - state: nil where its files are damaged.
    ///   - now: UNIX seconds.
    init(_ access: WalletAccess, _ state: WalletAccess.State?, at now: Int64) {
        self.access = access
        self.state = state
        self.now = now
    }

    /// Writes it to standard output.
    /// - Parameters:
    ///   - result: what was done, as a code; nil where nothing was.
    ///   - sentence: the same for people.
    func write(_ result: String?, _ sentence: String?, asJSON: Bool) {
        if asJSON {
            var object = json
            if let result { object["result"] = .string(result) }
            StandardStream.output.write(.object(object))
        } else {
            if let sentence { StandardStream.output.write(line: sentence) }
            for line in lines { StandardStream.output.write(line: line) }
        }
    }

    private var stateName: String {
        switch state {
        case .redeemed(let kept)?: kept.validity(at: now).rawValue
        case .pending?: "pending"
        case nil: "damaged"
        }
    }

    private var json: JSONObject {
        var object: JSONObject = ["access": .string(access.name), "folder": .string(access.folder), "state": .string(stateName)]
        switch state {
        case .redeemed(let kept)?:
            for member in kept.terms.json { object[member.key] = member.value }
            object["url"] = .string(kept.server.base)
        case .pending(let link?)?: object["url"] = .string(link.server.base)
        case .pending(nil)?, nil: break
        }
        return object
    }

    private var lines: [String] {
        var lines = ["\(access.name)  \(stateName)"]
        switch state {
        case .redeemed(let kept)?:
            let terms = kept.terms
            lines[0] += "  \(PrintedText.word(terms.subject)) at \(PrintedText.word(terms.site))"
            lines.append("  token from \(UTCText.make(seconds: terms.notBefore)) to \(UTCText.make(seconds: terms.expires)), "
                + "renewed until \(UTCText.make(seconds: terms.renewUntil))")
            lines.append("  by \(kept.server.base)")
        case .pending(let link?)?: lines.append("  to be redeemed at \(link.server.base): redeem --access \(access.name)")
        case .pending(nil)?: lines.append("  redeem its link again")
        case nil: break
        }
        return lines + ["  in \(access.folder)"]
    }
}
