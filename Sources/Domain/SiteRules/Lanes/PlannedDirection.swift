/// Which way a plan lets people through.
public enum PlannedDirection: Int, Sendable {
    case inward = 0
    case outward = 1
}
