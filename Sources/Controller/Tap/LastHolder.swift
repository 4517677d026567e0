import Threads

/// Who had a result last at a reader (T9): a phone that is lifted and comes back within its pause is not told apart from the next one before it
/// proves who it is.
final class LastHolder: Sendable {
    private let identifier = Mutex<[UInt8]?>(nil)

    /// Whether it was this one.
    func isHolder(_ identifier: [UInt8]) -> Bool { self.identifier.withLock { $0 == identifier } }

    /// It is this one from now on; nil where nobody is known.
    func become(_ identifier: [UInt8]?) { self.identifier.withLock { $0 = identifier } }
}
