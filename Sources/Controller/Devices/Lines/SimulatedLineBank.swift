import CLinux
import Files
import Threads

/// Lines that exist in memory only, for a board without relays: demonstrations and tests. It is
/// used only where the configuration says so, never by itself.
///
/// Any thread may call. `state` guards all of it, and is held while the observer is told.
public final class SimulatedLineBank: LineBank {
    /// Told of every output that was set, with the monotonic time in microseconds. It is called
    /// while the bank is locked, so that the order is the true one: it must not call the bank.
    public typealias Observer = @Sendable (_ line: LineName, _ active: Bool, _ monotonicMicroseconds: Int64) -> Void

    private struct State {
        var outputs: [LineName: Bool]
        var inputs: [LineName: Bool]
        var failing: [LineName: LineError] = [:]
        var events: [LineEvent] = []
        var isReleased = false

        mutating func add(_ event: LineEvent) {
            events.append(event)
            guard events.count > SimulatedLineBank.mostEvents else { return }
            events = inputs.map { LineEvent($0.key, .resumed(active: $0.value), nanoseconds: event.nanoseconds) }
        }
    }

    /// Events that nobody fetches do not pile up: the levels then take their place.
    private static let mostEvents = 1024

    private let state: Mutex<State>
    private let observer: Observer
    public let faults: [LineName: LineError]
    public let foundActive: Set<LineName>
    /// Nil without inputs, or where the system grants no descriptor.
    private let bell: FileDescriptor?

    /// - Parameter wiredActive: the outputs whose wiring keeps them active while nobody drives them, and the inputs that
    ///   are active from the start.
    public init(_ requests: [LineRequest], wiredActive: Set<LineName> = [], observer: @escaping Observer = { _, _, _ in }) {
        let twice = LineRequest.namesUsedTwice(in: requests)
        let good = requests.filter { twice[$0.name] == nil }
        self.faults = twice
        self.observer = observer
        let outputs = good.filter { $0.direction == .output }.map { ($0.name, false) }
        let inputs = good.filter { $0.direction == .input }.map { ($0.name, wiredActive.contains($0.name)) }
        foundActive = wiredActive.subtracting(inputs.map(\.0))
        let now = MonotonicTime.nanoseconds
        let events = inputs.map { LineEvent($0.0, .found(active: $0.1), nanoseconds: now) }
        bell = inputs.isEmpty ? nil : (try? SystemError.check(clinux_eventfd_create(), "eventfd")).map { FileDescriptor(owning: $0) }
        self.state = Mutex(State(
            outputs: .init(uniqueKeysWithValues: outputs), inputs: .init(uniqueKeysWithValues: inputs), events: events))
        ring()
    }

    public func set(_ line: LineName, active: Bool) throws(LineError) {
        try state.withLock { state throws(LineError) in
            if state.isReleased { throw .released }
            if let fault = faults[line] ?? state.failing[line] { throw fault }
            guard state.outputs[line] != nil else { throw .unknown(name: line) }
            state.outputs[line] = active
            observer(line, active, MonotonicTime.microseconds)
        }
    }

    public func read(_ line: LineName) throws(LineError) -> Bool {
        try state.withLock { state throws(LineError) in
            if state.isReleased { throw .released }
            if let fault = faults[line] ?? state.failing[line] { throw fault }
            guard let active = state.inputs[line] else { throw .unknown(name: line) }
            return active
        }
    }

    public func readBack(_ line: LineName) throws(LineError) -> Bool {
        try state.withLock { state throws(LineError) in
            if state.isReleased { throw .released }
            if let fault = faults[line] ?? state.failing[line] { throw fault }
            guard let active = state.outputs[line] else { throw .unknown(name: line) }
            return active
        }
    }

    public func release() {
        state.withLock { state in
            guard !state.isReleased else { return }
            for line in state.outputs.keys.sorted() where state.outputs[line] == true {
                state.outputs[line] = false
                observer(line, false, MonotonicTime.microseconds)
            }
            state.isReleased = true
        }
    }

    /// Whether an output is active now; nil when there is none of that name.
    public func isActive(_ line: LineName) -> Bool? {
        state.withLock { $0.outputs[line] }
    }

    /// What an outside contact does to an input.
    public func drive(_ line: LineName, active: Bool) throws(LineError) {
        try state.withLock { state throws(LineError) in
            guard state.inputs[line] != nil else { throw .unknown(name: line) }
            guard state.inputs.updateValue(active, forKey: line) != active else { return }
            state.add(LineEvent(line, .moved(active: active), nanoseconds: MonotonicTime.nanoseconds))
        }
        ring()
    }

    /// The inputs and how they are now.
    public var inputs: [LineName: Bool] { state.withLock { $0.inputs } }

    public var inputDescriptor: Int32? { bell?.raw }

    public func drainInputEvents() -> [LineEvent] {
        if let bell { _ = clinux_eventfd_clear(bell.raw) }
        return state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    private func ring() {
        if let bell { _ = clinux_eventfd_raise(bell.raw) }
    }

    /// Makes every call for that line throw, as a broken expander would; nil fixes it.
    public func fail(_ line: LineName, with error: LineError?) {
        state.withLock { $0.failing[line] = error }
    }
}
