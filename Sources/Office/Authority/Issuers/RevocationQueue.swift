import Credentials
import Encoding
import Files
import Threads

/// What an issuer elsewhere says that it has taken back: `{"site", "issuer", "revoked": [{"cti": "hex", "until": UNIX}…]}`. It is believed of
/// its own tokens and of nothing else, whoever has written it.
struct RevocationQueue {
    /// Each by the issuer's number of the token, with the second at which that ends.
    let entries: [(cti: [UInt8], until: Int64)]

    /// In bytes.
    static let longest = 1 << 20
    /// So many are taken at most, and kept of one issuer.
    static let most = 10_000

    init(at path: String, site: String, issuer: String) throws(QueueFault) {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try SmallFile.read(path, limit: Self.longest) } catch { throw .unreadable(error) }
        try self.init(parsing: bytes, site: site, issuer: issuer)
    }

    init(parsing bytes: [UInt8], site: String, issuer: String) throws(QueueFault) {
        guard let json = try? JSON.parse(bytes), let revoked = json["revoked"]?.array else { throw .malformed }
        guard let ofSite = json["site"]?.string, ofSite.utf8.elementsEqual(site.utf8),
              let ofIssuer = json["issuer"]?.string, ofIssuer.utf8.elementsEqual(issuer.utf8) else { throw .foreign }
        guard revoked.count <= Self.most else { throw .tooMany }
        var entries: [(cti: [UInt8], until: Int64)] = []
        for entry in revoked {
            guard let cti = entry["cti"]?.string.flatMap({ try? Hex.decode($0) }), (1...64).contains(cti.count),
                  let until = entry["until"]?.integer, until >= 0 else { throw .malformed }
            entries.append((cti, until))
        }
        self.entries = entries
    }
}

/// Why a queue was not taken, or not all of it.
public enum QueueFault: Error, Hashable, Sendable {
    /// The file cannot be read, or is longer than a mebibyte.
    case unreadable(SystemError)
    /// It is no queue.
    case malformed
    /// It is that of another site or issuer.
    case foreign
    /// There is more in it than is kept of one issuer.
    case tooMany

    /// A sentence for people.
    public func message(of issuer: String, _ path: String) -> String {
        "\(path), where '\(issuer)' says what it has taken back, \(words). What was taken back before stays so; look at its machine, or stop its "
            + "tokens: issuer --off."
    }

    private var words: String {
        switch self {
        case .unreadable(let error): "cannot be read (\(error.message))"
        case .malformed: "is no list of tokens that were taken back"
        case .foreign: "is that of another site or another issuer"
        case .tooMany: "has more than \(RevocationQueue.most) tokens that have not ended"
        }
    }
}

extension Authority {
    /// Clocks of gates may be behind: a token that has ended here counts there a little longer.
    private static let grace: Int64 = 86_400

    /// Takes back what issuers elsewhere have taken back. What was revoked once stays so until it has ended, whatever becomes of a file.
    /// - Returns: what is wrong with which queue; a publication goes on all the same.
    func readQueues(now: Int64) throws(AuthorityError) -> [PublishedRepository.Warning] {
        try database.transaction { () throws(AuthorityError) in try database.forgetQueued(before: now - Self.grace) }
        var warnings: [PublishedRepository.Warning] = []
        for row in try activeIssuers() {
            guard row.isElsewhere, let path = row.queue else { continue }
            let queue: RevocationQueue
            do throws(QueueFault) {
                queue = try RevocationQueue(at: path, site: site, issuer: row.name)
            } catch {
                warnings.append(.queue(issuer: row.name, path: path, error))
                continue
            }
            if let fault = try apply(queue, of: row.name, now: now) { warnings.append(.queue(issuer: row.name, path: path, fault)) }
        }
        return warnings
    }

    private func apply(_ queue: RevocationQueue, of issuer: String, now: Int64) throws(AuthorityError) -> QueueFault? {
        try database.transaction { () throws(AuthorityError) in
            var count = try database.countQueued(of: issuer)
            for (cti, until) in queue.entries where until > now - Self.grace {
                if let known = try database.queuedEnd(issuer, cti) {
                    if until > known { try database.setQueued(issuer, cti, until: until) }
                    continue
                }
                let revocation = Revocation.issued(issuer: issuer, cti: cti)
                // What a person took back here stays for ever.
                guard try !database.has(revocation) else { continue }
                guard count < RevocationQueue.most else { return .tooMany }
                try database.add(revocation, now: now)
                try database.setQueued(issuer, cti, until: until)
                count += 1
            }
            return nil
        }
    }
}
