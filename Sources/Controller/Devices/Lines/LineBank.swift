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

    /// Whether an output is active at this moment, as the chip says: what was written, if chip and line work.
    func readBack(_ line: LineName) throws(LineError) -> Bool

    /// A descriptor that is readable while events of inputs wait; nil for a bank that never has one. It stays the same
    /// as long as the bank lives.
    var inputDescriptor: Int32? { get }

    /// Takes the events of inputs that wait, each line's in the order of their times. The first ones say how the inputs
    /// are at the beginning. For one thread, which must not be kept long: what it does not fetch is kept, but not for ever.
    func drainInputEvents() -> [LineEvent]

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
    /// For a bank without inputs.
    public var inputDescriptor: Int32? { nil }

    /// For a bank without inputs.
    public func drainInputEvents() -> [LineEvent] { [] }

    /// For a bank that drives blindly.
    public func readBack(_ line: LineName) throws(LineError) -> Bool { throw .unknown(name: line) }

    /// For a bank whose faults cannot pass.
    @discardableResult
    public func reopen() -> [LineName] { [] }
}

/// Something that happened to an input.
public struct LineEvent: Hashable, Sendable {
    public enum Happening: Hashable, Sendable {
        /// Its level changed, and it was this from then on.
        case moved(active: Bool)
        /// Its level was read, at the beginning or when the line came back. Nobody saw what it was before.
        case found(active: Bool)
        /// It is this, after edges of which there were too many to be kept.
        case resumed(active: Bool)
        /// It cannot be read any more, or could not from the beginning.
        case lost
    }

    public let line: LineName
    public let happening: Happening
    /// When, by the monotonic clock.
    public let nanoseconds: Int64

    public init(_ line: LineName, _ happening: Happening, nanoseconds: Int64) {
        self.line = line
        self.happening = happening
        self.nanoseconds = nanoseconds
    }
}

/// Our own name of a line ("entry-relay"), as the configuration gives it.
public typealias LineName = String
