/// What the contacts of a lane other than its passage sensors tell at this moment.
struct LaneContacts: Equatable, Sendable {
    /// The fire alarm's contact.
    var fire: InputState = .inactive
    /// Somebody wanted out while the relay let somebody else through.
    var exitWanted = false
    /// The contact of the housing is open.
    var tamper = false
    /// The contact of a reader's housing is open.
    var readerTamper = false
    /// The gate lives on its battery.
    var mainsFail = false
    /// The mode switch, nil as long as nothing is known of it.
    var modeSwitch: InputState?
}
