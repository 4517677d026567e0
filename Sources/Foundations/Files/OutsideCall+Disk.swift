import Threads

extension OutsideCall {
    /// A disk. An SD card may take seconds for one write, and what is read waits behind it.
    public static let disk = OutsideCall(
        "the disk", .fault(afterMilliseconds: 10_000), remedy: "`dmesg` says what it has; it may be dying.")
}
