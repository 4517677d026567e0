/// Whether a gate has site data, and which.
public struct TrustStatus: Hashable, Sendable {
    /// What is there.
    public enum State: Hashable, Sendable {
        /// Questions are answered from this publication.
        case ready(TrustPublication)
        /// Nothing is granted until a publication is imported: none ever was (`no-trust-data`), or the
        /// file is damaged, of another site or of a newer version.
        case absent(StorageError)
    }

    /// What is there.
    public var state: State
    /// The `issued` of the last publication applied here, UNIX seconds, no later than the time of the last `resetFloor` after it: a floor for
    /// the clock that outlives the file.
    public var clockFloor: Int64?
    /// The version in which somebody signed it.
    public var clockFloorVersion: UInt64?
    /// The name a file that could not be used was given since the store was opened: damaged, of a newer
    /// version, or from the future.
    public var setAside: String?
    /// Why `trust.floor` does not say which publication is in use, nil if it does. Should `trust.db` be damaged
    /// meanwhile, the gate takes an older publication again.
    public var floorFailure: StorageError?

    /// The publication in use.
    public var publication: TrustPublication? {
        if case .ready(let publication) = state { publication } else { nil }
    }
}
