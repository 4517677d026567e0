/// What the contacts of a fire alarm system say together (L4).
///
/// The normally closed half alone cannot tell an alarm from a broken wire: both release. With the normally open half
/// of the same change-over contact on a second line, exactly one of the two is closed, unless something is wrong.
public struct FireLoop: Hashable, Sendable {
    /// The normally closed half (`fire`) has opened; nil while its line cannot be read.
    public var main: Bool?
    /// The normally open half (`fire-open`) has closed; nil while its line cannot be read.
    public var counterpart: Bool?
    /// There are two lines.
    public let isSupervised: Bool

    /// Nothing has been read yet.
    public init(isSupervised: Bool) {
        self.isSupervised = isSupervised
    }

    /// What follows from the contacts as they are, bounces included.
    public var state: InputState {
        guard let main else { return .faulty(.unseen) }
        guard isSupervised else { return main ? .active : .inactive }
        guard let counterpart else { return .faulty(.unseen) }
        return switch (main, counterpart) {
        case (false, false): .inactive
        case (true, true): .active
        case (true, false): .faulty(.cut)
        case (false, true): .faulty(.short)
        }
    }
}
