/// What the caller of an `Update` is to do next. Each says with which call it is answered.
public enum UpdateAction: Hashable, Sendable {
    /// Read a role's file of the last run: `loaded`, with nil where there is none or one of more bytes than this.
    case load(RoleName, limit: Int)
    /// Fetch a file of metadata: `fetched` with its bytes as they came, or `notFetched`.
    case fetch(FetchRequest)
    /// Put a verified file in the place of the role's old one, byte for byte: `kept` when it is on the disk. Before it,
    /// in this order: write down `Update.versions` (where a floor is kept), and remove the files of the roles to be
    /// forgotten. Whatever is cut off in between, the next run finds nothing that is wrong.
    case keep(RoleName, [UInt8], forgetting: [RoleName])
    /// The four roles are up to date: targets may be asked for with `find`, one after the other.
    case refreshed(RefreshReport)
    /// A target was found. To be fetched by its `request` and held against `TargetCheck`; the next `find` may follow.
    case found(FoundTarget)
    /// No role that may describe it knows the target; these were asked. The next `find` may follow.
    case notFound(TargetPath, visited: [RoleName])
    /// The run is over. What was kept stays, and the next run begins with it.
    case refused(UpdateRefusal)
}
