/// A date that raised the clock's floor while nobody vouched for the time: who signed it, offline, and in which version.
///
/// His clock may have been ahead, or he a thief: a newer version of what he signs takes the place of this date, and a newer root lowers it to its own.
public struct SignedFloor: Hashable, Sendable {
    /// What was signed.
    public enum Role: String, Sendable {
        /// The targets of a repository.
        case targets
        /// A single file, which programs before the first release took. The clock's memory may name one still.
        case publication
    }

    let role: Role
    let version: Int64
    /// The version of the root by which it counted; 0 where there are no roots.
    private(set) var root: Int64
    /// Milliseconds since 1970.
    var date: Int64

    /// - Parameters:
    ///   - root: the version of the root by which it counts; 0 where there are no roots.
    ///   - date: milliseconds since 1970.
    public init(_ role: Role, version: Int64, root: Int64 = 0, date: Int64) {
        self.role = role
        self.version = version
        self.root = root
        self.date = date
    }

    /// What holds once `newer` was seen, which an update takes for no older than this.
    /// - Parameter rootDate: when its root was signed, milliseconds since 1970.
    func followed(by newer: SignedFloor, rootDate: Int64?) -> SignedFloor {
        // Versions begin anew where root has replaced the keys of targets; the very same file says nothing new.
        let isOtherVersion = newer.root > root ? newer.version != version : newer.version > version
        if newer.role == role, isOtherVersion { return newer }
        var lowered = self
        if newer.root > root {
            lowered.date = min(date, rootDate ?? date)
            lowered.root = newer.root
        }
        return newer.role != role && newer.date > lowered.date ? newer : lowered
    }

    /// What two copies of the memory know: the newer one.
    func merged(with other: SignedFloor) -> SignedFloor {
        (root, version, -date) >= (other.root, other.version, -other.date) ? self : other
    }
}
