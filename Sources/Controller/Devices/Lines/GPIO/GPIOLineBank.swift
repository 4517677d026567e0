import Glibc
import Threads

/// The lines of a real board, through libgpiod. Lines that cannot be had are in `faults`; the
/// others work. Calls may come from any thread; setting a line is one ioctl.
///
/// `state` guards which lines are held. No chip is touched under it: each line has a lock of its own (`HeldLine`), and so have the edges.
public final class GPIOLineBank: LineBank {
    private struct State {
        var slots: [LineName: LineSlot] = [:]
        var isReopening = false
        var isReleased = false
    }

    /// The requests that can be told apart by name.
    private let requests: [LineName: LineRequest]
    /// The others: no opening fixes them.
    private let twice: [LineName: LineError]
    private let looking: Bool
    /// Nil without inputs, and where the system grants no descriptors: inputs are faults then.
    private let edges: InputEdges?
    private let state: Mutex<State>

    /// Takes every line that can be had, the outputs inactive from the first moment on (L6).
    /// - Parameter looking: outputs are looked at first, for `foundActive`; the look changes no level.
    public init(_ requests: [LineRequest], looking: Bool = true) {
        let twice = LineRequest.namesUsedTwice(in: requests)
        let single = requests.filter { twice[$0.name] == nil }
        self.twice = twice
        self.looking = looking
        self.requests = Dictionary(uniqueKeysWithValues: single.map { ($0.name, $0) })
        edges = single.contains { $0.direction == .input } ? try? InputEdges() : nil
        self.state = Mutex(State())
        endReopening(LineOpening.open(single, besides: [], looking: looking))
    }

    deinit {
        release()
    }

    public var faults: [LineName: LineError] {
        let missing = state.withLock { $0.slots.compactMapValues(\.fault) }
        return missing.merging(twice) { $1 }
    }

    public var foundActive: Set<LineName> {
        state.withLock { state in
            Set(state.slots.filter { _, slot in
                if case .held(let held) = slot { held.wasActive } else { false }
            }.keys)
        }
    }

    /// The outputs among these that are active at this moment, with nobody driving them. Lines that somebody
    /// holds are left out. Nothing is changed.
    public static func active(_ requests: [LineRequest]) -> Set<LineName> {
        Set(requests.filter { request in
            guard request.direction == .output, let place = try? LineSearch(request),
                  let chip = try? GPIOChip(path: place.path, wanted: request.chip) else { return false }
            return chip.isActive(place.seat.offset, for: request) ?? false
        }.map(\.name))
    }

    /// - Throws: `.unknown`, the line's fault, `.failed` (also for a chip that is gone), `.released`.
    public func set(_ line: LineName, active: Bool) throws(LineError) {
        let held = try find(line, .output)
        do throws(LineError) {
            try held.set(active: active)
        } catch {
            lose(line, held, error)
            throw error
        }
    }

    /// - Throws: as `set` does.
    public func read(_ line: LineName) throws(LineError) -> Bool {
        try level(of: line, .input)
    }

    /// - Throws: as `set` does.
    public func readBack(_ line: LineName) throws(LineError) -> Bool {
        try level(of: line, .output)
    }

    private func level(of line: LineName, _ direction: LineDirection) throws(LineError) -> Bool {
        let held = try find(line, direction)
        do throws(LineError) {
            return try held.read()
        } catch {
            lose(line, held, error)
            throw error
        }
    }

    public var inputDescriptor: Int32? { edges?.descriptor }

    public func drainInputEvents() -> [LineEvent] {
        guard let (events, broken) = edges?.drain() else { return [] }
        for (line, held, error) in broken { lose(line, held, error) }
        return events
    }

    /// Tries the missing lines once more: a chip may have been plugged in, another program may have
    /// let go. Lines whose chip went away since count as missing. The lines that work are not
    /// touched and can be set meanwhile. At once without result while another thread does the same.
    /// - Returns: the lines that are back, outputs inactive.
    @discardableResult
    public func reopen() -> [LineName] {
        guard let slots = beginReopening() else { return [] }
        var taken: Set<LineSeat> = []
        for case (let line, .held(let held)) in slots {
            if held.isAlive() {
                taken.insert(held.seat)
            } else {
                lose(line, held, .failed(doing: "Asking for \(held)", errno: ENODEV))
            }
        }
        let missing = faults.keys.compactMap { requests[$0] }
        return endReopening(LineOpening.open(missing, besides: taken, looking: looking))
    }

    public func release() {
        let slots = state.withLock { state in
            defer { state = State(isReleased: true) }
            return state.slots
        }
        for case .held(let held) in slots.values { held.giveBack() }
    }

    private func find(_ line: LineName, _ direction: LineDirection) throws(LineError) -> HeldLine {
        if let fault = twice[line] { throw fault }
        let slot = try state.withLock { state throws(LineError) in
            if state.isReleased { throw .released }
            return state.slots[line]
        }
        guard requests[line]?.direction == direction, let slot else { throw .unknown(name: line) }
        switch slot {
        case .held(let held): return held
        case .missing(let error): throw error
        }
    }

    /// A line whose chip left the board is given up, so that the chip can come back under its name.
    private func lose(_ line: LineName, _ held: HeldLine, _ error: LineError) {
        // An input whose edges do not come any more is worth nothing, whatever the reason.
        let isInput = requests[line]?.direction == .input
        guard isInput || error.meansGone else { return }
        let isLost = state.withLock { state in
            guard case .held(let current) = state.slots[line], current === held else { return false }
            state.slots[line] = .missing(error)
            return true
        }
        if isInput, isLost { edges?.remove(line, held) }
        held.giveBack()
    }

    private func beginReopening() -> [LineName: LineSlot]? {
        state.withLock { state in
            guard !state.isReopening, !state.isReleased else { return nil }
            state.isReopening = true
            return state.slots
        }
    }

    @discardableResult
    private func endReopening(_ opened: [LineName: Result<HeldLine, LineError>]) -> [LineName] {
        let (isReleased, known) = state.withLock { state in
            state.isReopening = false
            let known = Set(state.slots.keys)
            if !state.isReleased { state.slots.merge(opened.mapValues(LineSlot.init)) { $1 } }
            return (state.isReleased, known)
        }
        let back = opened.compactMapValues { try? $0.get() }
        guard isReleased else {
            for (line, result) in opened where requests[line]?.direction == .input { watch(line, result, isNew: !known.contains(line)) }
            return back.keys.sorted()
        }
        for held in back.values { held.giveBack() }
        return []
    }

    /// From now on the edges of an input are gathered. One that is not there is told once.
    private func watch(_ line: LineName, _ opened: Result<HeldLine, LineError>, isNew: Bool) {
        switch opened {
        case .success(let held):
            do throws(LineError) {
                guard let edges else { throw .failed(doing: "Watching \(held)", errno: EMFILE) }
                try edges.add(line, held)
            } catch {
                lose(line, held, error)
            }
        case .failure:
            if isNew { edges?.remove(line) }
        }
    }
}

extension LineError {
    /// The chip has left the board.
    fileprivate var meansGone: Bool {
        if case .failed(_, ENODEV) = self { return true }
        return false
    }
}
