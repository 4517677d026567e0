import CommandLineOptions

/// How a command ended.
enum CommandEnd {
    /// This was done; it is to be told.
    case done(Report)
    /// It was done, and somebody has to do something soon.
    case warned(Report)
    /// The command has written its lines itself.
    case written(ExitStatus)
}
