import Gate

/// An indicator that stands for one thing and is on or off, such as a lit arrow or cross. Twelve signals share the four
/// there are: people are to be told what to do even where nobody wired lamps.
package enum SteadyIndicator: String, Hashable, Sendable, CaseIterable {
    /// Present a phone.
    case ready
    /// Pass.
    case granted
    /// Do not pass.
    case denied
    /// Out of order.
    case fault

    /// What stands for a signal.
    /// - Parameter isReleased: whether the lane lets people pass at this moment: a fire alarm need not release every lane.
    package init(_ signal: Signal, isReleased: Bool) {
        self = switch signal {
        case .ready, .reading, .degraded: .ready
        case .granted, .free: .granted
        case .denied, .wait, .lockedDown, .closed: .denied
        case .fault, .alarm: .fault
        case .fire: isReleased ? .granted : .denied
        }
    }
}
