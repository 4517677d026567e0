import CommandLineOptions
import ControlProtocol
import Cryptography
import Encoding
import Evidence
import Files
import Threads

/// `tapstile journal verify`: both chains from end to end, the signed checkpoints in them, and one from outside.
struct JournalVerification {
    /// The gate.
    let gate: GateConnection
    /// Whether output is one JSON object.
    let json: Bool

    func run(_ command: ParsedCommand) throws -> ExitStatus {
        let outside = try command.value("since-checkpoint").map { try Self.checkpoint(at: $0) }
        let given = try command.values("audit-key").map { try Self.key(at: $0) }
        let trust = try trust(given)
        var review = CheckpointReview(trust: trust)
        let main = try walk(unproven: false, &review), unproven = try walk(unproven: true, &review)
        review.finish(main: main.result, unproven: unproven.result)
        let comparison = try outside.map { signed in
            OutsideComparison(
                signed, trust: trust, main: try place(of: signed.checkpoint.main.sequence, in: main),
                unproven: try place(of: signed.checkpoint.unproven.sequence, in: unproven),
                loss: review.loss(since: signed.checkpoint, main: main.result, unproven: unproven.result))
        }
        let verdict = JournalVerdict(
            main: main.result, unproven: unproven.result, review: review, outside: comparison, isKeyGiven: !given.isEmpty)
        report(verdict)
        return verdict.holds ? .success : .failure
    }

    private func report(_ verdict: JournalVerdict) {
        guard !json else {
            StandardStream.output.write(verdict.json)
            return
        }
        for line in verdict.lines { StandardStream.output.write(line: line) }
        for limit in verdict.limits { StandardStream.output.write(line: "not found, whatever holds: \(limit)") }
    }

    // What is believed ------------------------------------------------------------------------------

    /// Keys that were given count alone. Without any the gate's own word counts, and the verdict says so.
    private func trust(_ given: [PublicKey]) throws -> CheckpointTrust {
        let status = try gate.ask(.status)
        return CheckpointTrust(keys: given.isEmpty ? try ownKeys() : given, site: status["site"]?.string, gate: status["gate"]?.string)
    }

    private func ownKeys() throws -> [PublicKey] {
        let answer: JSON
        do {
            answer = try gate.ask(.auditKey)
        } catch let error as ControlError where error.code.hasPrefix("audit-key-") {
            // A gate without a key signs nothing; what it signed before cannot be checked.
            return []
        }
        let files = [answer["file"] ?? .null] + (answer["earlier"]?.array ?? [])
        return files.compactMap(\.string).compactMap { try? KeyFile(parsing: Array($0.utf8)) }.map(\.publicKey)
    }

    private static func key(at path: String) throws -> PublicKey {
        let bytes = try SmallFile.read(path, limit: KeyFile.longest)
        do throws(KeyFileError) {
            let file = try KeyFile(parsing: bytes)
            guard file.role == .audit else { throw .role }
            return file.publicKey
        } catch {
            throw ControlError(code: error.code, message: "\(path): \(error.message) Needed is what `tapstile journal audit-key --out` wrote.")
        }
    }

    private static func checkpoint(at path: String) throws -> SignedCheckpoint {
        let bytes = try SmallFile.read(path, limit: SignedCheckpoint.longest)
        do throws(CheckpointError) { return try SignedCheckpoint(parsing: bytes) } catch {
            throw ControlError(code: error.code, message: "\(path): \(error.message)")
        }
    }

    // The chains --------------------------------------------------------------------------------------

    /// A chain that was walked along.
    private struct Walked {
        let isUnproven: Bool
        let result: ChainResult
        /// What the oldest record kept follows from.
        let previous: [UInt8]
    }

    /// Walks along a chain, one stretch after the other, so that the gate can hear others in between.
    private func walk(unproven: Bool, _ review: inout CheckpointReview) throws -> Walked {
        var start: (first: UInt64, previous: [UInt8])?
        var after: JournalStretch.Position?
        while true {
            let stretch = try gate.ask(.verifyJournal(JournalStretch(unproven: unproven, after: after)))
            guard let first = stretch["first"]?.integer, let sequence = stretch["sequence"]?.integer,
                  let previous = Self.bytes(stretch["previous"]), let hash = Self.bytes(stretch["head"]) else {
                throw ControlError(code: "request-malformed", message: "The gate's answer does not say how far the chain is whole.")
            }
            let beginning = start ?? (UInt64(clamping: first), previous)
            start = beginning
            for kept in stretch["checkpoints"]?.array ?? [] { Self.examine(kept, &review) }
            Self.readExchanges(in: stretch, after: UInt64(clamping: first), &review)
            for continued in stretch["continued"]?.array ?? [] {
                review.continued(ChainContinuation(
                    sequence: Self.number(continued["sequence"]) ?? 0, milliseconds: continued["time"]?.integer ?? 0,
                    main: Self.number(continued["main"]) ?? 0, unproven: Self.number(continued["unproven"])))
            }
            guard stretch["more"]?.bool == true else {
                return Walked(isUnproven: unproven, result: ChainResult(first: beginning.first, last: UInt64(clamping: sequence), hash: hash),
                              previous: beginning.previous)
            }
            after = JournalStretch.Position(sequence: sequence, hash: hash)
        }
    }

    /// 12 bytes for each: how many records after the first one, and how its TH_4 begins.
    private static func readExchanges(in stretch: JSON, after first: UInt64, _ review: inout CheckpointReview) {
        let bytes = Self.bytes(stretch["exchanges"]) ?? []
        for start in stride(from: 0, to: bytes.count - bytes.count % 12, by: 12) {
            review.passed(transcript: number(bytes[(start + 4)..<(start + 12)]), at: first &+ number(bytes[start..<(start + 4)]))
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    private static func examine(_ kept: JSON, _ review: inout CheckpointReview) {
        review.examine(bytes(kept["checkpoint"]) ?? [], at: UInt64(clamping: kept["sequence"]?.integer ?? 0),
                       main: place(kept["main"]), unproven: place(kept["unproven"]))
    }

    private static func place(_ json: JSON?) -> ChainPlace {
        if let hash = bytes(json) { return .hash(hash) }
        return json?.string == "beyond" ? .beyond : .letGo
    }

    private static func number(_ json: JSON?) -> UInt64? { (json?.integer).map { UInt64(clamping: $0) } }

    private static func bytes(_ json: JSON?) -> [UInt8]? { json?.string.flatMap { try? Hex.decode($0) } }

    /// What a chain has at a place.
    private func place(of sequence: UInt64, in chain: Walked) throws -> ChainPlace {
        guard sequence + 1 >= chain.result.first else { return .letGo }
        guard sequence + 1 > chain.result.first else { return .hash(chain.previous) }
        let page = try gate.ask(.journal(JournalQuery(unproven: chain.isUnproven, from: Int64(clamping: sequence), limit: 1)))
        guard let record = page["records"]?.array?.first else { return .beyond }
        return .hash(record["sequence"]?.integer == Int64(clamping: sequence) ? Self.bytes(record["hash"]) ?? [] : [])
    }
}
