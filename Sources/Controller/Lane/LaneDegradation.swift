/// What is wrong while a lane goes on serving: people see it (`degraded`), and somebody is to look at `status`.
enum LaneDegradation: Hashable, Sendable {
    /// The journal cannot be written, and the lane opens all the same (`audit.on-failure = "allow"`).
    case journal
    /// Records wait for somebody to collect them, before they are written over.
    case collection
    /// An output of the lane is not safe by itself.
    case wiring
    /// The site data are older than they should be.
    case siteData
}
