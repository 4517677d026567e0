/// A step that may bring back a reader, from the mildest to the harshest (O5).
public enum RecoveryRung: String, Hashable, Sendable, CaseIterable {
    /// The call that the chip does not answer is left, and the chip woken up. A reader of pcscd is told to start its field anew.
    case abort
    /// The chip is closed and opened again. A reader of pcscd is reached over a new connection to pcscd.
    case reopen
    /// The chip's reset line, where one is wired.
    case resetLine = "reset-line"
    /// The USB port that it hangs on is shut and opened, where that is allowed.
    case reauthorise
    /// The program that drives it is ended; the next connection starts it anew.
    case restart

    /// What is done, for people.
    var sentence: String {
        switch self {
        case .abort: "it is woken up"
        case .reopen: "it is opened anew"
        case .resetLine: "its reset line is pulled"
        case .reauthorise: "its USB port is switched off and on"
        case .restart: "its program is started anew"
        }
    }
}
