import Authority
import CommandLineOptions

/// How a command ended.
enum CommandEnd {
    /// This was done; it is to be told.
    case done(Report)
    /// It was done, and somebody has to do something soon.
    case warned(Report)
    /// The command has written its lines itself.
    case written(ExitStatus)

    /// Something was published, by whatever command: no timer and nobody at a desk takes it for done where somebody has to do something.
    static func published(_ published: PublishedRepository, _ headline: String, _ restored: RestoredOffice.Choice? = nil) -> CommandEnd {
        let report = published.report(headline, restored)
        return published.needsSomebody ? .warned(report) : .done(report)
    }
}
