/// What a person asked a program for.
public enum CommandLineRequest: Sendable {
    /// Help or version: to be printed on standard output; exit status 0.
    case text(String)
    /// A command with its options, all of them known and with values where needed.
    case run(ParsedCommand)
}
