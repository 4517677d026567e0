/// What a phone that reads is given.
public enum ReadResult: Hashable, Sendable {
    /// The whole value; of a long one the phone asks for the rest by itself.
    case value([UInt8])
    /// An error of the application (Core Specification 5.3, vol. 3, part F, 3.4.1.1): 0x80 to 0x9F; anything else becomes 0x80.
    case refused(UInt8)
}
