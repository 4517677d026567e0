/// What the program of a PN532 does.
public enum ReaderPhase: UInt8, Hashable, Sendable, CaseIterable {
    /// It waits for the gate: for the set-up, for what to do with a phone that it told of, or for `reopen`.
    case idle = 0
    /// It looks for phones.
    case polling = 1
    /// It asks a phone whether it is still there.
    case holding = 2
    /// A command is with the phone.
    case exchanging = 3
    /// It opens the chip.
    case opening = 4
}
