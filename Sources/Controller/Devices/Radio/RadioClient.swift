/// Who is served by the radios. Every call comes on the radios' one thread, one at a time, and must return soon: all phones
/// wait for it. Whatever it calls of `Radios` takes effect after it has returned.
public protocol RadioClient: AnyObject, Sendable {
    /// What that radio is good for now: once at the start, and at every change.
    func radio(_ name: String, is state: RadioState)

    /// What is wrong with the settings of bluetoothd; empty when nothing is, or where nobody starts bluetoothd through systemd. After
    /// every start of bluetoothd.
    func settings(_ findings: [BluetoothFinding])

    /// A phone has connected. Always before anything else about a link.
    func opened(_ link: RadioLink)

    /// The phone has gone, or the adapter, or bluetoothd. The last that is told about a link; answers still owed are given.
    func closed(_ link: RadioLink)

    /// The phone has written a value, of at most `Radios.longestValue` bytes, and waits for the answer.
    func wrote(_ value: [UInt8], on link: RadioLink, answer: WriteAnswer)

    /// The phone reads. Asked once for each reading from the beginning; the room gives out the parts of a long value.
    func read(on link: RadioLink) -> ReadResult

    /// One sample of a link that is measured (T5). Nil: the adapter does not know it or cannot be asked.
    func strength(_ dBm: Int8?, of link: RadioLink)

    /// The monotonic milliseconds at which `isDue` is wanted; nil for never. Asked before every wait.
    func nextDue() -> Int64?

    /// That time has come.
    func isDue(at now: Int64)
}
