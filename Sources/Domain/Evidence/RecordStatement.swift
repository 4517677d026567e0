import Credentials
import Encoding
import Vocabulary

/// What a record of the journal says, read from the bytes that its hash covers (docs/evidence.md). Only what evidence
/// is held against is read.
public struct RecordStatement: Hashable, Sendable {
    /// `main` or `unproven`.
    public let chain: String
    /// Its place in the chain.
    public let sequence: UInt64
    /// The boot of the gate during which it was written.
    public let boot: [UInt8]
    /// `outcome`, `attempt` and others.
    public let kind: String
    /// The gate's clock, UNIX milliseconds.
    public let milliseconds: Int64
    /// How far that clock was to be believed.
    public let clock: ClockTrust
    public let lane: String?
    public let reader: String?
    public let carrier: String?
    /// TH_2 in an attempt, TH_4 in an outcome.
    public let transcript: [UInt8]?
    /// The sequence of the attempt that an outcome closes.
    public let attemptSequence: UInt64?
    public let subject: String?
    /// Token identifier or thumbprint of the enrolled key.
    public let credential: [UInt8]?
    public let reason: String?
    /// Whether the phone's proof had verified.
    public let isProven: Bool
    /// The evidence of a grant, empty where there is none.
    public let evidence: [UInt8]
    /// The command that was asked for.
    public let command: String?
    /// What the lane did for it, where that was not to let one person through as its reader does: `pass-out`, `hold-open`, `on` and others.
    public let action: String?
    /// The bytes of the attempt in an outcome.
    let attemptBody: [UInt8]?

    /// Keys of the map.
    private enum Label: UInt64 {
        case format = 0, chain, sequence, boot, kind
        case wall, clock, monotonic
        case lane, reader, carrier, transcript, attempt
        case subject, credential, reason, isProven, evidence, detail, attemptBody
    }

    /// Times that a clock may show: up to the end of the year 9999.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799_999
    /// The format of the map.
    private static let format: UInt64 = 1

    /// Reads a record; nil if the bytes are none.
    public init?(parsing body: [UInt8]) {
        guard let map = try? CBOR.decode(body) else { return nil }
        func item(_ label: Label) -> CBOR? { map[.unsigned(label.rawValue)] }
        guard item(.format)?.unsignedInteger == Self.format, let chain = item(.chain)?.text,
              let sequence = item(.sequence)?.unsignedInteger, let boot = item(.boot)?.bytes, let kind = item(.kind)?.text,
              let wall = item(.wall)?.integer, Self.times.contains(wall), let clock = item(.clock).flatMap({ ClockTrust($0) }),
              let isProven = item(.isProven)?.bool
        else { return nil }
        self.chain = chain
        self.sequence = sequence
        self.boot = boot
        self.kind = kind
        milliseconds = wall
        self.clock = clock
        lane = item(.lane)?.text
        reader = item(.reader)?.text
        carrier = item(.carrier)?.text
        transcript = item(.transcript)?.bytes
        attemptSequence = item(.attempt)?.unsignedInteger
        subject = item(.subject)?.text
        credential = item(.credential)?.bytes
        reason = item(.reason)?.text
        self.isProven = isProven
        evidence = item(.evidence)?.bytes ?? []
        command = item(.detail)?["command"]?.text
        action = item(.detail)?["action"]?.text
        attemptBody = item(.attemptBody)?.bytes
    }

    /// The attempt that an outcome closes and contains.
    public var attempt: RecordStatement? { attemptBody.flatMap { RecordStatement(parsing: $0) } }

    /// UNIX seconds, rounded down.
    public var seconds: Int64 { milliseconds / 1000 }
}
