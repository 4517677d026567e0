import Cryptography
import Encoding

/// Every value of one exchange, computed from keys, ephemeral keys and the two signatures in the order in
/// which the sides need them (RFC 9528, 4 and 5; RFC 9529 for the names). It shares no code with the rooms
/// that run the protocol.
public struct ExchangeLedger: Sendable {
    public internal(set) var chapters: [WorkedChapter] = []
    /// The APDUs as they follow from the values; the recording must have the same.
    public internal(set) var air: [Recording.Step] = []
    let recording: Recording
    let exchange: Recording.Exchange
    let site: SiteLedger

    let suite: WorkedSuite
    static let selectCommand: [UInt8] = [0x00, 0xA4, 0x04, 0x00, 0x09, 0xF0] + Array("tapstile".utf8) + [0x00]

    public init(_ recording: Recording, _ exchange: Recording.Exchange, _ site: SiteLedger) throws {
        self.recording = recording
        self.exchange = exchange
        suite = try WorkedSuite.named(exchange.suite)
        self.site = site
        let offered = try opening()
        let shown = try gateProof(offered)
        let agreed = try phoneProof(shown)
        try outcome(agreed)
        evidence()
    }

    /// After SELECT.
    struct Offered {
        let message1Hash: [UInt8]
        let secret: [UInt8]
        let gatePoint: [UInt8]
    }

    /// After message_2.
    struct Shown {
        let prk: [UInt8]
        let transcript3: [UInt8]
    }

    /// After message_3.
    struct Agreed {
        let prk: [UInt8]
        let transcript4: [UInt8]
    }

    /// A value noted before.
    func value(_ name: String) -> [UInt8] {
        chapters.lazy.flatMap(\.values).first { $0.name == name }?.bytes ?? []
    }
}
