/// L1: how long a relay is energised.
public enum RelayHold: String, Hashable, Sendable, CaseIterable {
    case pulse
    case untilPassage = "until-passage"
}
