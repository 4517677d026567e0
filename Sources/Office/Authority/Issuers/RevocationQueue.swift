import Credentials
import Files
import Invitations
import Threads

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
        case .tooMany: "has more than \(RevokedQueue.mostEntries) tokens that have not ended"
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
            let queue: RevokedQueue
            do throws(QueueFault) {
                queue = try readQueue(at: path, of: row.name)
            } catch {
                warnings.append(.queue(issuer: row.name, path: path, error))
                continue
            }
            if let fault = try apply(queue, of: row.name, now: now) { warnings.append(.queue(issuer: row.name, path: path, fault)) }
        }
        return warnings
    }

    /// What an issuer elsewhere says that it has taken back is believed of its own tokens and of nothing else, whoever has written it.
    private func readQueue(at path: String, of issuer: String) throws(QueueFault) -> RevokedQueue {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try SmallFile.read(path, limit: RevokedQueue.longest) } catch { throw .unreadable(error) }
        guard let queue = RevokedQueue(json: bytes) else { throw .malformed }
        guard queue.site.utf8.elementsEqual(site.utf8), queue.issuer.utf8.elementsEqual(issuer.utf8) else { throw .foreign }
        guard queue.revoked.count <= RevokedQueue.mostEntries else { throw .tooMany }
        return queue
    }

    private func apply(_ queue: RevokedQueue, of issuer: String, now: Int64) throws(AuthorityError) -> QueueFault? {
        try database.transaction { () throws(AuthorityError) in
            var count = try database.countQueued(of: issuer)
            for (cti, until) in queue.revoked.map({ ($0.cti, $0.until) }) where until > now - Self.grace {
                if let known = try database.queuedEnd(issuer, cti) {
                    if until > known { try database.setQueued(issuer, cti, until: until) }
                    continue
                }
                let revocation = Revocation.issued(issuer: issuer, cti: cti)
                // What a person took back here stays for ever.
                guard try !database.has(revocation) else { continue }
                guard count < RevokedQueue.mostEntries else { return .tooMany }
                try database.add(revocation, now: now)
                try database.setQueued(issuer, cti, until: until)
                count += 1
            }
            return nil
        }
    }
}
