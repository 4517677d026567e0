import Gate

/// The walk tests of one lane.
package struct LaneWalk: Sendable {
    /// How many there were since the start.
    var count: Int64 = 0
    /// The latest one.
    package var test: WalkTest?
    /// It is under way.
    var isRunning = false
    /// How contacts are of which the lane was not told during the test.
    var withheld: [InputKind: InputState] = [:]
}
