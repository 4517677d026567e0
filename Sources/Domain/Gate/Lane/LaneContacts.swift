/// What the contacts of a lane other than its passage sensors tell at this moment.
struct LaneContacts: Equatable, Sendable {
    /// The fire alarm's contact.
    var fire: InputState = .inactive
    /// So many want out.
    var exitsWanted = 0
    /// The relay let somebody else through when they wanted it.
    var hasExitWaited = false
    /// The next of them is let out then.
    var exitNotBefore: Instant?
    /// Nobody knows what the button does.
    var isExitFaulty = false
    /// The contact of the housing is open.
    var tamper = false
    /// The contact of a reader's housing is open.
    var readerTamper = false
    /// The gate lives on its battery.
    var powerFail = false
    /// The mode switch, nil as long as nothing is known of it.
    var modeSwitch: InputState?

    /// Nobody wants out any more.
    mutating func forgetExits() {
        (exitsWanted, hasExitWaited, exitNotBefore) = (0, false, nil)
    }
}
