/// What the program says, of which nothing is believed. `FetchFrame` has the rules.
public enum FetchReport: Hashable, Sendable {
    /// The server has answered.
    case head(FetchHead)
    /// The next bytes of the file: 1 to 65,536.
    case bytes([UInt8])
    /// It is whole, says the program.
    case end
    /// There is no more of it.
    case failed(FetchFault)
    /// The program lives.
    case beat
}
