import VirtualPhone

/// What a phone does wrong on purpose. Commands and their answers are counted from 1 since the phone
/// came onto the reader: 1 is SELECT, 2 the first EXCHANGE.
public enum Misbehaviour: Hashable, Sendable {
    /// The card as such goes wrong: it leaves or is silent.
    case card(CardMisbehaviour)
    /// An answer goes wrong.
    case answer(Int, AnswerFault)

    /// The forms in which one can be written, with what they mean.
    public static let forms: [(form: String, meaning: String)] = [
        ("leave-at=N", "is taken away when command N arrives, without an answer"),
        ("leave-after=N", "is taken away right after it answered command N"),
        ("silent-at=N[:MS]", "does not answer command N, and is taken away after MS milliseconds"),
        ("late-at=N:MS", "answers command N only after MS milliseconds"),
        ("flip-bit=N[:BIT]", "answer N has one bit turned over (default: the last one before the status word)"),
        ("truncate=N", "answer N has only the first half of its data"),
        ("oversize=N", "answer N has 2000 random bytes of data"),
        ("repeat=N", "answer N is the bytes of answer N - 1 again"),
        ("random=N", "answer N is 1 to 255 random bytes"),
        ("empty=N", "answer N has no data"),
        ("wrong-aid", "has no such application: 6A82 to SELECT")
    ]

    /// Reads one of `forms`.
    public init(_ text: String) throws(PhoneToolError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let numbers = parts.count == 2 ? parts[1].split(separator: ":", omittingEmptySubsequences: false).map { Int($0) } : []
        guard numbers.count <= 2, numbers.allSatisfy({ $0 != nil }),
              let made = Self.make(parts[0], numbers.compactMap(\.self)) else { throw .misbehaviour(text) }
        self = made
    }

    private static func make(_ name: String, _ numbers: [Int]) -> Misbehaviour? {
        guard let at = numbers.first else { return name == "wrong-aid" ? .answer(1, .applicationUnknown) : nil }
        let more = numbers.dropFirst().first
        guard at > 0, more ?? 0 >= 0 else { return nil }
        switch (name, more) {
        case ("leave-at", nil): return .card(.leaves(atCommand: at))
        case ("leave-after", nil): return .card(.leavesAfter(command: at))
        case ("silent-at", let more): return .card(.silent(atCommand: at, forMilliseconds: more))
        case ("late-at", let more?): return .card(.late(atCommand: at, milliseconds: more))
        case ("flip-bit", let more): return .answer(at, .bitFlipped(more))
        case ("truncate", nil): return .answer(at, .truncated)
        case ("oversize", nil): return .answer(at, .oversized)
        case ("repeat", nil): return .answer(at, .repeated)
        case ("random", nil): return .answer(at, .random)
        case ("empty", nil): return .answer(at, .empty)
        default: return nil
        }
    }

    /// The part of it that the card plays.
    public var card: CardMisbehaviour? {
        if case .card(let misbehaviour) = self { misbehaviour } else { nil }
    }
}
