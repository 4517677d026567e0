/// What the program is asked for. `FetchFrame` has the rules.
public enum FetchOrder: Hashable, Sendable {
    /// By which way, and who may be trusted on it.
    case setUp(FetchSetup)
    /// A file.
    case fetch(FetchJob)
    /// No more of it.
    case cancel
}
