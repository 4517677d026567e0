/// Random numbers that a seed gives again (SplitMix64: Steele, Lea and Flood, 2014).
public struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The numbers of a seed.
    public init(seed: UInt64) { state = seed }

    /// The next of them.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `bound` − 1; `bound` is at least 1.
    public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
