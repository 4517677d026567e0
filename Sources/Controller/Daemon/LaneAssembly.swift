import Configuration
import Gate
import Lanes
import PhoneProtocol
import Readers
import Service
import Tap
import Threads
import Vocabulary

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
            identifier: Identifier(configuration, lane: settings, trust: parts.trust, age: parts.age, hours: parts.hours, tokens: parts.tokens,
                                   log: parts.logs.log("trust")),
            tokens: parts.tokens, deadline: Int64(deadline), audit: audit, auditRules: AuditRules(configuration.audit, lane: settings),
            commands: CommandDesk(settings, outputs: outputs),
            isAutomatic: offer.context.mode == .onTouch, isManual: isManual, carrierRule: CarrierRule(settings.carriers), carriers: carriers,
            secondFactor: SecondFactorRule(settings), schedules: parts.schedules, acceptsUIDOnlyCards: settings.uidOnlyCards,
            access: parts.access, ephemerals: ephemerals,
            generation: { [trust = parts.trust] in trust.generation }, messages: { [trust = parts.trust] in trust.messages(for: $0.rawValue) },
            clock: parts.clock, timekeeper: timekeeper, events: parts.events, log: parts.logs.log("conversations"), decisionLog: parts.logs.log("gate"))
    }
}
