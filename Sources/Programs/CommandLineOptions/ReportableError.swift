/// An error that a program can tell a person about: a stable code and a sentence.
public protocol ReportableError: Error {
    /// Stable code.
    var code: String { get }
    /// A sentence for people, one line.
    var message: String { get }
    /// Lines that say more, told before the sentence.
    var details: [String] { get }
    /// What the shell is told.
    var exitStatus: ExitStatus { get }
}

extension ReportableError {
    public var details: [String] { [] }
    public var exitStatus: ExitStatus { .failure }
}

extension CommandLineError: ReportableError {
    /// The person who typed can fix it.
    public var exitStatus: ExitStatus { .usage }
}

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
