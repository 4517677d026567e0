/// The lines of one gate. Calls may come from any thread.
public protocol LineBank: AnyObject, Sendable {
    /// The lines that could not be had and why; the others work.
    var faults: [LineName: LineError] { get }

    /// The outputs that were active when the bank took them, before it drove them: with nobody driving them, what
    /// hangs on them is on.
    var foundActive: Set<LineName> { get }

    /// Sets an output active or inactive. Which voltage that is, the request said.
    func set(_ line: LineName, active: Bool) throws(LineError)

    /// Whether an input is active at this moment.
    func read(_ line: LineName) throws(LineError) -> Bool

    /// Tries the lines in `faults` once more and leaves the others alone. It may wait for a slow
    /// chip; `set` and `read` of the other lines go on meanwhile.
    /// - Returns: the lines that are back, outputs inactive.
    @discardableResult
    func reopen() -> [LineName]

    /// Takes every output back to its safe level and gives all lines back. Every later call
    /// throws `.released`. Doing it twice does no harm.
    func release()
}

extension LineBank {
    /// For a bank whose faults cannot pass.
    @discardableResult
    public func reopen() -> [LineName] { [] }
}
