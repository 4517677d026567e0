#if THREAD_SANITIZER
import CLinux

/// The lock of the thread sanitizer's builds: the same interface as the one below over a pthread mutex.
///
/// The library's `Mutex` hands a contended lock over in the kernel (FUTEX_LOCK_PI), which the sanitizer
/// cannot see: it then reports every value behind such a lock, and a true race would drown.
public struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable { // the value is touched under the lock only
    private let box: Box

    private final class Box {
        let raw = clinux_monitor_create()
        var value: Value

        init(_ value: consuming Value) { self.value = value }

        deinit { clinux_monitor_destroy(raw) }
    }

    /// A value behind a lock.
    public init(_ value: consuming sending Value) { box = Box(value) }

    /// Looks at the value or changes it.
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        clinux_monitor_lock(box.raw)
        defer { clinux_monitor_unlock(box.raw) }
        return try body(&box.value)
    }
}
#else
import Synchronization

/// A value behind a lock, where nobody waits for a change; `Monitor` is for those who do.
public typealias Mutex<Value: ~Copyable> = Synchronization.Mutex<Value>
#endif
