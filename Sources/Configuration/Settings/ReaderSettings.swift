/// `[[reader]]`
public struct ReaderSettings: Hashable, Sendable {
    /// Our own name for it. 1–32 letters, digits, `.`, `_`, `-`.
    public var name: String
    /// The lane it serves.
    public var lane: String
    public var direction: PassageDirection
    public var type: ReaderType
    /// How the device is found (T3).
    public var match: ReaderMatchSettings
    /// Narrows the match to PC/SC readers whose name contains this.
    public var nameContains: String?
    /// A presentation that takes longer is closed as `timeout`. Milliseconds.
    public var presentationDeadlineMilliseconds: Int
    /// A reader that does not come back for this long is a reader fault. Milliseconds.
    public var stuckAfterMilliseconds: Int

    public init(name: String, lane: String, direction: PassageDirection, type: ReaderType, match: ReaderMatchSettings,
                nameContains: String?, presentationDeadlineMilliseconds: Int, stuckAfterMilliseconds: Int) {
        self.name = name
        self.lane = lane
        self.direction = direction
        self.type = type
        self.match = match
        self.nameContains = nameContains
        self.presentationDeadlineMilliseconds = presentationDeadlineMilliseconds
        self.stuckAfterMilliseconds = stuckAfterMilliseconds
    }
}
