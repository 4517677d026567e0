/// What a virtual card does wrong, and at which command (counted from 1 since it was inserted).
public enum CardMisbehaviour: Hashable, Sendable {
    /// Does not answer that command, nor anything else, until it is taken away: by `remove`, or
    /// by itself after the time given.
    case silent(atCommand: Int, forMilliseconds: Int?)
    /// Is taken away when that command arrives, without an answer.
    case leaves(atCommand: Int)
    /// Is taken away right after it answered that command.
    case leavesAfter(command: Int)
    /// Answers that command, but only after this time.
    case late(atCommand: Int, milliseconds: Int)
}
