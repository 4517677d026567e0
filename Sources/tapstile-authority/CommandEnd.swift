import CommandLineOptions

/// How a command ended.
enum CommandEnd {
    /// This was done; it is to be told.
    case done(Report)
    /// The command has written its lines itself.
    case written(ExitStatus)
}
