/// What a virtual chip is told while it runs, one line each.
public enum ChipOrder: Hashable, Sendable {
    case fault(ChipFault)
    case behave
    case reset
    case unplug
    case plugIn

    /// The forms in which one can be written, with what they mean.
    public static let forms: [(form: String, meaning: String)] = [
        ("fault FAULT [at COMMAND] [after N] [times N]", "goes wrong from now on, beside what was said before"),
        ("behave", "works well from now on"),
        ("reset", "the reset line is pulled"),
        ("unplug", "the port goes away, and with it the chip's power"),
        ("plug-in", "the port comes back, under another number")
    ]

    /// Reads one.
    public init(_ text: String) throws(PhoneToolError) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        switch (words.first, words.count) {
        case ("fault", 2): self = .fault(try ChipFault(words[1]))
        case ("behave", 1): self = .behave
        case ("reset", 1): self = .reset
        case ("unplug", 1): self = .unplug
        case ("plug-in", 1): self = .plugIn
        default: throw .misbehaviour(text)
        }
    }
}
