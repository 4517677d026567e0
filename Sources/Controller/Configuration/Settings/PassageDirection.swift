/// Which way a reader lets people pass.
public enum PassageDirection: String, Sendable, CaseIterable {
    case `in`, out
}
