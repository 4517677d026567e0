import Configuration
import Gate
import Lines

/// What the contacts of a gate have come to: fed with what happens to their lines, it answers which lanes learn what.
/// Pure.
package struct InputBoard {
    /// What lanes are to be told.
    package struct Delivery: Equatable {
        /// Nil for an input of the whole gate: every lane is meant.
        package let lane: String?
        package let change: InputChange
        /// When the contact had been quiet for its time.
        package let at: Instant
        /// It was active when the gate started, and has been since.
        package let isStuck: Bool
        /// From now on it changes too often for all of it to be told.
        package var beginsToChatter = false
    }

    /// One input as `status` shows it.
    package struct Report: Equatable {
        let kind: InputKind
        /// Nil for an input of the whole gate.
        let lane: String?
        /// Nil while nothing is known yet.
        package let state: InputState?
        let isStuck: Bool
        /// It changes too often for all of it to be told.
        var isChattering = false
        /// Its lines in the bank.
        let lines: [LineName]

        /// What is wrong with a fire loop.
        var fireLoopFault: InputFault? {
            guard kind == .fire, case .faulty(let fault)? = state else { return nil }
            return fault
        }

        /// Whether it is an input of this lane, or of all.
        package func concerns(_ lane: String) -> Bool { self.lane == nil || self.lane == lane }
    }

    private struct Input {
        let lane: String?
        let lines: [LineName]
        var sense: InputSense
        var isStuck = false
        /// That it chatters was told.
        var isChatterTold = false
    }

    /// So many milliseconds after the first look a contact that has not settled is waited for no longer.
    static let longestReading: Int64 = 2 * InputSense.patience

    private var inputs: [Input] = []
    /// The lanes of which not all contacts have been read yet.
    private var unread: Set<String> = []
    /// Until when they are waited for; nil before the first look.
    private var readBy: Instant?
    private var routes: [LineName: (number: Int, contact: InputSense.Contact)] = [:]

    /// The inputs of a configuration.
    package init(_ configuration: GateConfiguration) {
        add(configuration.inputs, of: nil)
        for lane in configuration.lanes { add(lane.inputs, of: lane.name) }
        unread = Set(configuration.lanes.map(\.name))
    }

    /// There is nothing to listen to.
    var isEmpty: Bool { inputs.isEmpty }

    /// When `advance` has something to tell, if nothing moves.
    var nextChange: Instant? { (inputs.map(\.sense.nextChange) + [unread.isEmpty ? nil : readBy]).compactMap(\.self).min() }

    /// How every input is.
    var reports: [Report] {
        inputs.map { Report(kind: $0.sense.kind, lane: $0.lane, state: $0.sense.state, isStuck: $0.isStuck, isChattering: $0.sense.isChattering, lines: $0.lines) }
    }

    /// Something has happened to a line. Events of one line come in the order of their times.
    mutating func receive(_ event: LineEvent) -> Delivery? {
        guard let (number, contact) = routes[event.line] else { return nil }
        let time = Instant(milliseconds: event.nanoseconds / 1_000_000)
        return deliver(number) { sense in
            switch event.happening {
            case .moved(let active): sense.receive(active, from: contact, at: time)
            case .found(let active): sense.receive(active, from: contact, at: time, since: .found)
            case .resumed(let active): sense.receive(active, from: contact, at: time, since: .gap)
            case .lost: sense.receive(nil, from: contact, at: time)
            }
        }
    }

    /// Everything that happened up to `now` was received.
    mutating func advance(to now: Instant) -> [Delivery] {
        inputs.indices.compactMap { number in deliver(number) { $0.advance(to: now) } }
    }

    /// The lanes whose contacts are all known since the last time, so far as they ever will be.
    mutating func drainRead(at now: Instant) -> [String] {
        let end = readBy ?? now + Self.longestReading
        readBy = end
        let awaited = inputs.filter { $0.sense.state == nil }
        let read = unread.filter { lane in now >= end || !awaited.contains { $0.lane == nil || $0.lane == lane } }
        unread.subtract(read)
        return read.sorted()
    }

    private mutating func deliver(_ number: Int, _ ask: (inout InputSense) -> (change: InputChange, at: Instant)?) -> Delivery? {
        let wasKnown = inputs[number].sense.state != nil
        guard let (change, at) = ask(&inputs[number].sense) else { return nil }
        // Nobody is told that all is well at the start; but a switch that keeps people out does so until it is known.
        if !wasKnown, change.state == .inactive, change.kind != .modeSwitch { return nil }
        inputs[number].isStuck = change.state == .active && change.isFound && change.kind.isStuckWhenFound
        let isChattering = inputs[number].sense.isChattering
        defer { inputs[number].isChatterTold = isChattering }
        return Delivery(lane: inputs[number].lane, change: change, at: at, isStuck: inputs[number].isStuck,
                        beginsToChatter: isChattering && !inputs[number].isChatterTold)
    }

    private mutating func add(_ settings: InputsSettings, of lane: String?) {
        for (name, input) in settings.all {
            let line = InputLine.name(name, of: lane)
            guard let kind = InputKind(rawValue: StoredWord.stored(name.rawValue)) else { continue } // the second half comes with the first one
            let half = name == .fire && settings[.fireOpen] != nil ? InputLine.name(.fireOpen, of: lane) : nil
            routes[line] = (inputs.count, .main)
            if let half { routes[half] = (inputs.count, .counterpart) }
            inputs.append(Input(lane: lane, lines: [line] + (half.map { [$0] } ?? []), sense: InputSense(
                kind, quiet: Int64(input.debounceMilliseconds ?? 0), isSupervised: half != nil)))
        }
    }
}

extension InputKind {
    /// A contact that nobody has touched and that is not in its normal place is remarkable; a switch stays as it was turned.
    fileprivate var isStuckWhenFound: Bool {
        switch self {
        case .passageIn, .passageOut, .requestToExit, .fire, .tamper, .readerTamper, .powerFail: true
        case .modeSwitch: false
        }
    }
}

/// How the lines of inputs are called.
package enum InputLine {
    /// The name of an input's line in the bank.
    /// - Parameter lane: nil for an input of the whole gate.
    package static func name(_ input: InputName, of lane: String?) -> LineName {
        // No lane's name holds a colon.
        lane.map { "\($0)-\(input.rawValue)" } ?? "gate:\(input.rawValue)"
    }
}
