/// P1 of EXCHANGE: what travels.
public enum ExchangeKind: UInt8, Sendable, Hashable, CaseIterable {
    /// An EDHOC message; the answer is the next one.
    case message = 0x00
    /// An EDHOC error message; the answer may be a new message_1.
    case error = 0x01
    /// Nothing: a new message_1 is wanted, without another SELECT.
    case nextMessage1 = 0x02
}
