import Credentials
import Threads

/// The tokens that phones may present by reference at any lane of this gate. They outlive a reload; a restart
/// begins with none, and phones then show their tokens by value.
///
/// Any thread may call. `cache` guards it; what `isWanted` says is asked of a copy.
package final class KnownTokens: Sendable {
    private let cache: Mutex<TokenCache>

    package init(capacity: Int) {
        cache = Mutex(TokenCache(capacity: capacity))
    }

    /// How many there are, and how many there may be.
    package var load: (count: Int, capacity: Int) {
        cache.withLock { ($0.count, $0.capacity) }
    }

    /// The token of that reference, as `TokenCache` has it.
    func token(named reference: [UInt8]) -> KnownToken? {
        // Most identifiers are those of enrolled keys, and some sites have no others of this length.
        guard reference.count == TokenIdentifier.referenceLength else { return nil }
        return cache.withLock { $0.token(named: reference) }
    }

    /// Those of which that is true, for whoever asks about a person.
    package func tokens(where isWanted: @Sendable (Token) -> Bool) -> [KnownToken] {
        // A copy: what takes long keeps no tap waiting.
        cache.withLock { $0 }.tokens(where: isWanted)
    }

    /// A phone proved itself with a token that verification had nothing against.
    package func remember(_ token: KnownToken) {
        cache.withLock { $0.remember(token.token, verifiedIn: token.generation) }
    }

    /// The site data are of that generation now.
    package func forget(before generation: UInt64) {
        // What goes is let go of after the lock, so that no tap waits for it.
        _ = cache.withLock { cache in
            let before = cache
            cache.forget(before: generation)
            return before
        }
    }

    /// Another bound, after a reload.
    package func adopt(capacity: Int) {
        cache.withLock { $0.adopt(capacity: capacity) }
    }
}
