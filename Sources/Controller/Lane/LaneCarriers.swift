import Configuration
import Conversations
import Gate
import Readers
import Service
import Threads
import Vocabulary

/// What the readers and radios of one lane are good for, and the faults of the lane that they amount to.
///
/// A lane goes on with any one of them; it has a fault only when none is in service. An ambiguous binding of a
/// reader always is one: nobody can say which device opens the gate (T3).
final class LaneCarriers: Sendable {
    private let states: Mutex<States>

    private struct States {
        var readers: [ReaderName: ReaderState] = [:]
        var directions: [ReaderName: Direction] = [:]
        var radios: [String: Bool] = [:]
        var policy: CarrierPolicy

        /// A reader at a lane that is served over radios alone serves nobody.
        var isAnyInService: Bool {
            policy != .bleOnly && readers.values.contains(where: \.isInService) || radios.values.contains(true)
        }
    }

    /// The carriers of one lane, of which nothing is known yet.
    init(_ policy: CarrierPolicy) {
        states = Mutex(States(policy: policy))
    }

    /// The lane goes on with another policy, and its readers with other directions. Returns the faults that follow; nil as long
    /// as nothing is known.
    func adopt(_ policy: CarrierPolicy, _ directions: [ReaderName: Direction]) -> Set<LaneFault>? {
        states.withLock { states in
            states.policy = policy
            states.directions = directions
            return states.readers.isEmpty && states.radios.isEmpty ? nil : Self.faults(of: states)
        }
    }

    /// Whether a phone can be presented over NFC now by somebody who wants to pass that way (T2).
    func isNFCInService(_ direction: Direction) -> Bool {
        states.withLock { states in
            states.readers.contains { states.directions[$0.key] == direction && $0.value.isInService }
        }
    }

    /// A reader has come to `state`. Returns the faults that the carriers of the lane amount to now.
    func record(_ reader: ReaderName, toward direction: Direction, _ state: ReaderState) -> Set<LaneFault> {
        states.withLock { states in
            states.directions[reader] = direction
            states.readers[reader] = state
            return Self.faults(of: states)
        }
    }

    /// A radio is in service or is not. Returns the faults that the carriers of the lane amount to now.
    func record(radio: String, isInService: Bool) -> Set<LaneFault> {
        states.withLock { states in
            states.radios[radio] = isInService
            return Self.faults(of: states)
        }
    }

    private static func faults(of states: States) -> Set<LaneFault> {
        var faults: Set<LaneFault> = []
        if states.readers.values.contains(where: \.isAmbiguous) { faults.insert(.ambiguousReader) }
        if !states.isAnyInService { faults.insert(states.readers.values.contains(where: \.isStuck) ? .readerStuck : .reader) }
        return faults
    }
}

extension ReaderState {
    fileprivate var isAmbiguous: Bool {
        switch self {
        case .ambiguous: true
        case .serviceDown, .serviceSilent, .absent, .refused, .unconnected, .ready, .cardPresent, .stuck, .recovering, .failed: false
        }
    }

    fileprivate var isStuck: Bool {
        switch self {
        case .stuck: true
        case .serviceDown, .serviceSilent, .absent, .ambiguous, .refused, .unconnected, .ready, .cardPresent, .recovering, .failed: false
        }
    }
}

/// Puts together what presentations at one lane need, over each of its readers and radios.
struct LaneAssembly {
    let configuration: GateConfiguration
    let settings: LaneSettings
    let lane: LaneRunner
    let timekeeper: Timekeeper
    let audit: TapAudit
    let carriers: LaneCarriers
    let outputs: OutputDesk
    let ring: KeyRing
    let parts: GateParts

    /// At a reader of the lane: T4's modes are those of radios, but a lane that runs nothing by itself (T11) says so in NFC too.
    func station(at reader: ReaderSettings) throws(StartError) -> TapStation {
        let offer = try GateOffer(settings, gate: configuration.gate.identifier, carrier: .nfc,
                                  mode: settings.passage.automatic ? .onTouch : .classic)
        return station(reader.name, reader.direction, offer, deadline: reader.presentationDeadlineMilliseconds, isManual: true,
                       EphemeralSupply())
    }

    /// Over a radio of the lane, with the keys that are made ahead for it.
    func station(at radio: RadioSettings, _ ephemerals: EphemeralSupply) throws(StartError) -> TapStation {
        let isOnTouch = radio.mode == .onTouch && settings.passage.automatic
        let offer = try GateOffer(settings, gate: configuration.gate.identifier, carrier: .ble, mode: isOnTouch ? .onTouch : .classic)
        return station(radio.name, radio.direction, offer, deadline: radio.presentationDeadlineMilliseconds, isManual: radio.manual,
                       ephemerals)
    }

    private func station(_ name: String, _ direction: Direction, _ offer: GateOffer, deadline: Int, isManual: Bool,
                         _ ephemerals: EphemeralSupply) -> TapStation {
        TapStation(
            reader: name, lane: lane, direction: direction, offer: offer, ring: ring,
            identifier: Identifier(configuration, lane: settings, trust: parts.trust, age: parts.age, tokens: parts.tokens,
                                   log: parts.logs.log("trust")),
            tokens: parts.tokens, deadline: Int64(deadline), audit: audit, auditRules: AuditRules(configuration.audit, lane: settings),
            commands: CommandDesk(settings, outputs: outputs, parts: parts),
            isAutomatic: offer.context.mode == .onTouch, isManual: isManual, carrierRule: CarrierRule(settings.carriers), carriers: carriers,
            secondFactor: SecondFactorRule(settings), schedules: parts.schedules, takesUIDOnlyCards: settings.uidOnlyCards,
            access: parts.access, ephemerals: ephemerals,
            generation: { [trust = parts.trust] in trust.generation }, words: { [trust = parts.trust] in trust.words(for: $0.rawValue) },
            clock: parts.clock, timekeeper: timekeeper, events: parts.events, log: parts.logs.log("conversations"), decisionLog: parts.logs.log("gate"))
    }
}
