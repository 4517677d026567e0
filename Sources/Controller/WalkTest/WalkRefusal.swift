import ControlProtocol
import Gate
import Threads

/// Why a walk test does not begin.
enum WalkRefusal: Error, Equatable {
    /// The lane is being tried already.
    case running
    /// The lane lets somebody through, is open, or locked down.
    case lane(LaneRefusal)
    /// The machine grants no thread.
    case system(SystemError)

    /// For whoever asked.
    var controlError: ControlError {
        switch self {
        case .running: ControlError(code: "test-running", message: "Somebody tries this lane already; that ends by itself.")
        case .lane(let refusal): ControlError(code: refusal.code, message: refusal.message)
        case .system(let error): ControlError(code: error.code, message: error.message)
        }
    }
}
