/// The first byte of every value over Bluetooth: what the rest of it is.
public enum FrameKind: UInt8, Sendable, Hashable, CaseIterable {
    /// An EDHOC message.
    case message = 0x00
    /// An EDHOC error message.
    case error = 0x01
    /// The outcome, encrypted; from the gate only.
    case outcome = 0x02
}
