import CLinux

/// The memory that all threads of this process allocate from.
public enum ProcessHeap {
    /// Keeps it one heap. The C library would make up to eight for each processor, and each keeps what it needed
    /// in its worst moment: a gate with many lanes grew by megabytes within a million taps without losing a byte, and
    /// had nearly twice the heap. Its threads allocate little and do not get into each other's way.
    ///
    /// Call it in `main`, before any thread. Answers false when the C library has no such thing: then memory is larger.
    @discardableResult
    public static func share() -> Bool { clinux_heap_share() != 0 }

    /// Gives back what the heap holds and nobody uses: after work that needed much and does not come again soon.
    public static func trim() { clinux_heap_trim() }

    /// Bytes that are allocated at this moment. What the process holds beyond them is room that it may use again.
    public static var bytesInUse: Int64 { clinux_heap_in_use() }
}
