/// `[[reader]]`
public struct ReaderSettings: Hashable, Sendable {
    /// Our own name for it. 1–32 letters, digits, `.`, `_`, `-`.
    public var name: String
    /// The lane it serves.
    public var lane: String
    public var direction: PassageDirection
    /// Which device it is (T3).
    public var device: ReaderDeviceSettings
    /// What there is to bring it back (O5).
    public var reset = ReaderResetSettings()
    /// A presentation that takes longer is closed as `timeout`. Milliseconds.
    public var presentationDeadlineMilliseconds: Int
    /// A PC/SC reader that does not come back for this long is a reader fault. Milliseconds.
    public var stuckAfterMilliseconds: Int

    public init(name: String, lane: String, direction: PassageDirection, device: ReaderDeviceSettings, presentationDeadlineMilliseconds: Int,
                stuckAfterMilliseconds: Int) {
        self.name = name
        self.lane = lane
        self.direction = direction
        self.device = device
        self.presentationDeadlineMilliseconds = presentationDeadlineMilliseconds
        self.stuckAfterMilliseconds = stuckAfterMilliseconds
    }
}
