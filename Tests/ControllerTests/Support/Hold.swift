import Threads
import Waits

/// Hangs loops in the gate's own code: a loop that declares something while it is held does not go on.
final class Hold: Sendable {
    private let held = Monitor<Set<String>>([])

    /// What `Loops` is given.
    var seam: @Sendable (String) -> Void {
        { [held] name in held.hold("the loop \(name)") { $0.contains(name) } }
    }

    func begin(_ loop: String) { held.change { _ = $0.insert(loop) } }
    func end() { held.change { $0 = [] } }
}
