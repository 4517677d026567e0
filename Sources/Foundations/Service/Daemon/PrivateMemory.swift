import CLinux

/// The memory of a program that holds private keys.
public enum PrivateMemory {
    /// Leaves no core dump of it, in no file and with no handler, and keeps other programs of the same user from reading it: a crash, or a
    /// signal that anybody of that user may send, would write the keys to a disk.
    ///
    /// Call it in `main`, before a key is read. Answers false when the kernel has no such thing.
    @discardableResult
    public static func keep() -> Bool { clinux_leave_no_core() != 0 }
}
