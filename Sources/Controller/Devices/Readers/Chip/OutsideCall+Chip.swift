import Threads

extension OutsideCall {
    /// A phone at a PN532, and the program in between. The link's deadline ends the wait, and `ChipWatch` the program.
    static let chip = OutsideCall("a PN532", .watchedElsewhere)
    /// What brings a reader back: a line of ours, and the kernel's USB.
    static let recovery = OutsideCall("the reset of a reader", .fault(afterMilliseconds: 10_000), remedy: "Unplug the reader.")
    /// Its thread, which may be in a step that takes its time.
    static let ending = OutsideCall("the end of a reader", .fault(afterMilliseconds: 10_000), remedy: "`systemctl restart tapstiled` ends it.")
}
