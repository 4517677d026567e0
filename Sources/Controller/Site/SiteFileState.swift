import Threads

/// Why the site's own file is not what the gate goes by, as `status` says it.
final class SiteFileState: Sendable {
    /// A code and a sentence with the remedy.
    struct Problem: Equatable, Sendable {
        let code: String
        let message: String
    }

    private let current = Mutex<Problem?>(nil)

    /// Nil while the file is in use, and on gates that have none.
    var problem: Problem? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}
