import PhoneProtocol

/// The fuzzer's input, read as a script. After its end every choice is the first one, so that a short input is
/// a good tap and each byte more can make it worse.
struct Script {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) { rest = input[...] }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// A number from 0 to `bound` − 1.
    mutating func below(_ bound: Int) -> Int { Int(byte()) % bound }

    mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[below(choices.count)] }

    /// As many bytes as the next one says.
    mutating func bytes() -> [UInt8] {
        let count = Int(byte())
        let part = rest.prefix(count)
        rest = rest.dropFirst(count)
        return Array(part)
    }

    /// The same bytes, or some of them changed. True if they are others.
    mutating func alter(_ bytes: inout [UInt8]) -> Bool {
        let before = bytes
        switch below(8) {
        case 5 where !bytes.isEmpty: bytes[(below(256) << 8 | below(256)) % bytes.count] ^= byte()
        case 6: bytes.removeLast(min(bytes.count, below(64)))
        case 7: bytes += self.bytes()
        default: break
        }
        return bytes != before
    }

    /// Items of a field: some of ours, some of others, some that are none. Tells what they come to.
    mutating func items(ours: EADItem) -> (items: [EADItem], raw: [UInt8], fate: Fate) {
        var items: [EADItem] = []
        var fate = Fate.good
        for _ in 0..<below(4) {
            switch below(8) {
            case 0: items.append(EADItem(label: EADItem.paddingLabel, isCritical: false, value: bytes()))
            case 1: items.append(EADItem(label: 1 + below(200), isCritical: false, value: bytes()))
            case 2: items.append(EADItem(label: 60_000 + below(200), isCritical: false, value: nil))
            case 3:
                items.append(EADItem(label: 1 + below(200), isCritical: true, value: bytes()))
                fate = .bad
            case 4:
                items.append(EADItem(label: ours.label, isCritical: true, value: bytes()))
                fate = .bad
            case 5:
                items.append(EADItem(label: ours.label, isCritical: false, value: ours.value))
                fate = .bad
            case 6: items.append(ours)
            default:
                items.append(EADItem(label: 54_350 + below(8), isCritical: below(2) == 1, value: bytes()))
                fate = fate.worse(.open)
            }
        }
        if below(16) != 15 { items.append(ours) }
        if items.count(where: { $0 == ours }) != 1 { fate = .bad }
        let raw = below(16) == 14 ? bytes() : []
        return (items, raw, raw.isEmpty ? fate : fate.worse(.open))
    }
}

/// What must become of a message.
enum Fate {
    /// It must be accepted.
    case good
    /// Both are right.
    case open
    /// It must be refused.
    case bad

    func worse(_ other: Fate) -> Fate {
        switch (self, other) {
        case (.bad, _), (_, .bad): .bad
        case (.open, _), (_, .open): .open
        case (.good, .good): .good
        }
    }
}

/// Stops the fuzzer with a sentence, also in an optimised build.
func must(_ condition: Bool, _ sentence: String) {
    if !condition { fatalError(sentence) }
}
