/// The version of the messages on the control socket. Every line carries it as `v`; a line with
/// another version is refused with `version-unknown`, so that an old tool never half works.
public enum ControlVersion {
    /// The version both ends of this build speak.
    public static let current: Int64 = 1
}
