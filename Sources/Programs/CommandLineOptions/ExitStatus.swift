/// What the programs tell the shell.
public enum ExitStatus: Int32, Sendable {
    /// Done.
    case success = 0
    /// It could not be done; standard error says why.
    case failure = 1
    /// The command line was not understood.
    case usage = 2
    /// Done, and somebody has to do something soon.
    case warning = 3
    /// What was checked agrees with itself, and lacks the signature that matters.
    case unsigned = 4
}
