/// Which way a lane is to let people pass. The raw value is the word of requests and answers.
public enum LaneWay: String, Equatable, Sendable, CaseIterable {
    /// Into the site.
    case inward = "in"
    /// Out of the site.
    case outward = "out"
}
