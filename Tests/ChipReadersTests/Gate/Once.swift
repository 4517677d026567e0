import Threads

/// True for whoever asks first.
final class Once: Sendable {
    private let wasAsked = Mutex(false)

    var isFirst: Bool {
        wasAsked.withLock { wasAsked in
            defer { wasAsked = true }
            return !wasAsked
        }
    }
}
