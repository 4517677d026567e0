/// How much of the main chain has been collected by somebody outside (A6).
public struct JournalCollection: Hashable, Sendable {
    /// The newest record that somebody said they have; 0 if nobody did.
    public var through: UInt64
    /// Records that the ring let go since then before anybody had them.
    public var overwritten: UInt64

    /// Nothing was collected yet.
    public static let none = JournalCollection(through: 0, overwritten: 0)

    /// The ring lets records go.
    mutating func lose(after anchor: UInt64, through newAnchor: UInt64) {
        let kept = max(anchor, through)
        if newAnchor > kept { overwritten += newAnchor - kept }
    }
}

extension JournalEntry {
    /// The reason of the record that records were collected.
    public static let collectedReason = "journal-collected"

    /// The record that somebody has everything up to `sequence`. The journal counts from there once it is durable.
    public init(collectedThrough sequence: UInt64, at time: JournalTime) {
        self.init(kind: .journal, time: time, reason: Self.collectedReason, detail: ["through": .unsigned(sequence)])
    }

    /// Up to which record everything was collected, in the record that says so.
    var collectedThrough: UInt64? {
        kind == .journal && reason == Self.collectedReason ? detail["through"]?.unsignedInteger : nil
    }
}
