/// What anti-passback does about somebody who wants to go where, by what the gate knows, they already are (V5).
public enum PassbackMode: Hashable, Sendable {
    /// Nothing: nobody is known to be anywhere.
    case off
    /// Lets them through; the record of the outcome says so.
    case soft
    /// Refuses until they have left.
    case hard
    /// Refuses until they have left, or for so many milliseconds after they came in.
    case timed(milliseconds: Int64)
}
