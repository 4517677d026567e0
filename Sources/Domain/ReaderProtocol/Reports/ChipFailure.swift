/// Why a chip could not be opened.
public enum ChipFailure: UInt8, Hashable, Sendable, CaseIterable {
    /// There is no device of that name.
    case portAbsent = 1
    /// Its program may not use the device.
    case portDenied = 2
    /// Another program uses it.
    case portHeld = 3
    /// The device is there and does not work.
    case portBroken = 4
    /// Nothing answers.
    case chipSilent = 5
    /// What answers is no PN532, or one that has lost its mind.
    case chipBabbles = 6
    /// libnfc knows no such device.
    case deviceUnknown = 7
}
