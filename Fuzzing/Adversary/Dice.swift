/// Random choices that a seed makes again (SplitMix64).
struct Dice {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `bound` − 1; `bound` is at least 1.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func happens(_ percent: Int) -> Bool { below(100) < percent }

    /// One of these, which are not none.
    mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[below(choices.count)] }

    /// Other bytes than these: a bit turned, a piece lost or added, two places exchanged.
    mutating func alter(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        guard !bytes.isEmpty else { return [UInt8(below(256))] }
        switch below(6) {
        case 0, 1, 2: bytes[below(bytes.count)] ^= 1 << UInt8(below(8))
        case 3: bytes.removeLast(1 + below(min(8, bytes.count)))
        case 4: bytes.insert(UInt8(below(256)), at: below(bytes.count + 1))
        default: bytes.swapAt(below(bytes.count), below(bytes.count))
        }
        return bytes
    }
}
