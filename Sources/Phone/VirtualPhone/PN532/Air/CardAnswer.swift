/// What a card answers to a command APDU, and for how long it computed.
public struct CardAnswer: Sendable {
    public let bytes: [UInt8]
    public let nanoseconds: Int64

    public init(_ bytes: [UInt8], nanoseconds: Int64 = 0) {
        self.bytes = bytes
        self.nanoseconds = nanoseconds
    }
}
