/// Bounds of the Attribute Protocol (Core 5.4, Vol 3 Part F, unless another part is named).
public enum ATTLimits {
    /// Until both sides agreed on more, and the least that either may want (3.2.8; Part G, 5.2.1).
    public static let leastMTU = 23
    /// The most that makes sense: the longest value with the longest header before it.
    public static let greatestMTU = 517
    /// The longest value of an attribute (3.2.9).
    public static let longestValue = 512
    /// How long a request may stay without a response (3.3.3).
    public static let transactionMilliseconds = 30_000
    /// Before the value of a Write Request: opcode and handle (3.4.5.1).
    static let writeHeader = 3
    /// Before a part of a Prepare Write Request: opcode, handle and offset (3.4.6.1).
    static let prepareHeader = 5
    /// Before the value of a read or blob: opcode (3.4.4.4, 3.4.4.6).
    static let readHeader = 1
    /// The highest offset that a request can name.
    static let greatestOffset = 0xFFFF
}
