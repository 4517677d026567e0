/// The lines of one gate. Calls may come from any thread.
public protocol LineBank: AnyObject, Sendable {
    /// The lines that could not be had and why; the others work.
    var faults: [LineName: LineError] { get }

    /// Sets an output active or inactive. Which voltage that is, the request said.
    func set(_ line: LineName, active: Bool) throws(LineError)

    /// Whether an input is active at this moment.
    func read(_ line: LineName) throws(LineError) -> Bool

    /// Takes every output back to its safe level and gives all lines back. Every later call
    /// throws `.released`. Doing it twice does no harm.
    func release()
}
