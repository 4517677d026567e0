/// `[[lane.output]]`: a line that operators switch.
public struct LineOutputSettings: Hashable, Sendable {
    /// Its name for `tapstile lane LANE toggle`. Names differ within a lane. 1–32 letters, digits, `.`, `_`, `-`.
    public var name: String
    public var output: OutputSettings
    /// After a restart it is as it was; else it is off.
    public var restore: Bool

    public init(name: String, output: OutputSettings, restore: Bool) {
        self.name = name
        self.output = output
        self.restore = restore
    }
}
