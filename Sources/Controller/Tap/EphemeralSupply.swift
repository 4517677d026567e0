import PhoneProtocol
import Threads

/// Keeps ephemeral keys ready, so that nobody waits for one to be made while a phone is in the field or has
/// written: each on both curves, for the phone selects the suite. Each is used once; one of which nobody has seen
/// anything may come back.
///
/// The threads of readers and radios call. `ready` guards the supply; keys are made without it.
package final class EphemeralSupply: Sendable {
    /// What one conversation may need: a key, and another one for a phone that must begin again.
    static let perConversation = 2

    /// One key, which is taken once.
    private final class Prepared: Sendable {
        private let key: Mutex<EphemeralKey?>

        init(_ key: consuming EphemeralKey) { self.key = Mutex(key) }

        func next() -> EphemeralKey? { key.withLock { $0.take() } }
    }

    private let capacity: Int
    private let make: @Sendable () -> EphemeralKey?
    private let ready = Mutex<[Prepared]>([])

    /// A supply with the keys of one conversation.
    /// - Parameters:
    ///   - conversations: how many there may be at a time.
    ///   - make: nil only if the library cannot make a key.
    package init(conversations: Int = 1, make: @escaping @Sendable () -> EphemeralKey? = { try? EphemeralKey.generateOnBothCurves() }) {
        capacity = conversations * Self.perConversation
        self.make = make
        refill()
    }

    /// A key that is ready, or a fresh one; nil only if the library cannot make one.
    func next() -> EphemeralKey? {
        guard let prepared = ready.withLock({ $0.popLast() }) else { return make() }
        return prepared.next()
    }

    /// Takes a key back of which nobody has seen anything.
    func putBack(_ key: consuming EphemeralKey) {
        let prepared = Prepared(key)
        ready.withLock { if $0.count < capacity { $0.append(prepared) } }
    }

    /// Makes as many as one more conversation needs, while nobody waits.
    func refill() {
        for _ in 0..<Self.perConversation where ready.withLock({ $0.count }) < capacity {
            guard let key = make() else { return }
            let prepared = Prepared(key)
            ready.withLock { $0.append(prepared) }
        }
    }
}
