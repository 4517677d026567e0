/// What wakes phones in express mode (Enhanced Contactless Polling).
public struct ChipAnnouncement: Hashable, Sendable {
    /// The terminal's identifier: 3 bytes, as 6 hexadecimal digits in small letters.
    public var terminal: String
    /// The reader's group: 8 bytes, as 16 hexadecimal digits in small letters; nil for none.
    public var group: String?

    public init(terminal: String, group: String? = nil) {
        self.terminal = terminal
        self.group = group
    }
}
