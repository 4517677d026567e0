/// One thing at a lane that can be on or off for people to see or hear.
public enum Lamp: String, Hashable, Sendable, CaseIterable {
    case red
    case green
    case blue
    case buzzer
}
