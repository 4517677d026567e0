/// How much it takes to pretend to be somebody by a credential of this kind. Records name it where it is not `proven`.
public enum Assurance: String, Hashable, Sendable {
    /// A key was proved that never leaves its phone.
    case proven
    /// A number was shown that anybody can copy (requirement V8).
    case low
}
