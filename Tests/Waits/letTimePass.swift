import Glibc

/// Sleeps. Only where the time itself is what matters, for a test waits for events and never for seconds.
/// - Parameter reason: why there is no event to wait for.
public func letTimePass(_ time: Duration, because reason: String) {
    usleep(UInt32(time / .microseconds(1)))
}

/// The same for a test that must not hold up others meanwhile.
public func letTimePass(_ time: Duration, because reason: String) async throws {
    try await Task.sleep(for: time)
}
