import Credentials
import Gate
import Lanes
import PhoneProtocol
import Readers
import Service
import Site
import Storage
import Threads
import Vocabulary

/// Everything that presentations at one reader, or at one lane over one radio, need; made when the configuration is read, and the
/// same for all of them.
package struct TapStation: Sendable {
    /// The reader's name, or the radio's.
    package let reader: String
    /// The lane it opens.
    package let lane: LaneRunner
    /// Which way it lets people pass.
    package let direction: Direction
    /// What the lane offers to phones.
    package let offer: GateOffer
    /// The keys the gate proves itself with, now and later.
    let ring: KeyRing
    /// Finds out who the phone is.
    package let identifier: Identifier
    /// The tokens that phones may name by a reference.
    let tokens: KnownTokens
    /// Milliseconds after which a presentation without a decision is closed as `timeout`.
    let deadline: Int64
    /// Where attempts and outcomes go.
    let audit: TapAudit
    /// How long they are waited for.
    package let auditRules: AuditRules
    /// The commands that phones may run here (T10, A1).
    let commands: CommandDesk
    /// Whether phones may run commands by themselves (T11).
    let isAutomatic: Bool
    /// Whether a person may start them (T4).
    package let isManual: Bool
    /// Over which carriers the lane serves whom (T2).
    package let carrierRule: CarrierRule
    /// Which of them are in service.
    let carriers: LaneCarriers
    /// When the lane wants a second factor.
    package let secondFactor: SecondFactorRule
    /// The schedules that it may depend on.
    package let schedules: Schedules
    /// Whether UID-only cards open the lane (V8).
    package let acceptsUIDOnlyCards: Bool
    /// What the site's rules and anti-passback say.
    package var access: Access
    /// Who had a result here last.
    let lastHolder = LastHolder()
    /// Ephemeral keys made ahead; lanes behind one radio share them.
    let ephemerals: EphemeralSupply
    /// Counts the publications of site data, for EAD_2.
    let generation: @Sendable () -> UInt64
    /// What the site has people be shown for a reason, by language (A4).
    package let messages: @Sendable (Reason) -> [String: String]
    /// The time of day and how far it is to be believed.
    let clock: SystemClock
    /// Ends attempts at their deadline.
    package let timekeeper: Timekeeper
    /// Told what happens.
    let events: EventHub
    /// The log of conversations: what was said on the way to a result.
    let log: Log
    /// The log of decisions.
    let decisionLog: Log

    package init(reader: String, lane: LaneRunner, direction: Direction, offer: GateOffer, ring: KeyRing,
                 identifier: Identifier, tokens: KnownTokens, deadline: Int64, audit: TapAudit, auditRules: AuditRules,
                 commands: CommandDesk, isAutomatic: Bool, isManual: Bool, carrierRule: CarrierRule, carriers: LaneCarriers,
                 secondFactor: SecondFactorRule, schedules: Schedules, acceptsUIDOnlyCards: Bool, access: Access,
                 ephemerals: EphemeralSupply, generation: @escaping @Sendable () -> UInt64,
                 messages: @escaping @Sendable (Reason) -> [String: String], clock: SystemClock, timekeeper: Timekeeper,
                 events: EventHub, log: Log, decisionLog: Log) {
        self.reader = reader
        self.lane = lane
        self.direction = direction
        self.offer = offer
        self.ring = ring
        self.identifier = identifier
        self.tokens = tokens
        self.deadline = deadline
        self.audit = audit
        self.auditRules = auditRules
        self.commands = commands
        self.isAutomatic = isAutomatic
        self.isManual = isManual
        self.carrierRule = carrierRule
        self.carriers = carriers
        self.secondFactor = secondFactor
        self.schedules = schedules
        self.acceptsUIDOnlyCards = acceptsUIDOnlyCards
        self.access = access
        self.ephemerals = ephemerals
        self.generation = generation
        self.messages = messages
        self.clock = clock
        self.timekeeper = timekeeper
        self.events = events
        self.log = log
        self.decisionLog = decisionLog
    }

    /// Whether the gate has, now, a key to prove itself with in a method that the lane offers.
    package var isEquipped: Bool { isEquipped(at: clock.now()) }

    /// The same at a time that was read already: the kernel's word on the clock is a system call.
    package func isEquipped(at time: WallTime) -> Bool { keys(at: time).serve(offer.methods) }

    private func keys(at time: WallTime) -> GateKeys { ring.keys(at: clock.keyMoment(of: time)) }

    /// What a conversation begins with.
    package struct Opening: ~Copyable {
        let time: WallTime
        let keys: GateKeys
        var ephemeral: EphemeralKey
        /// For a phone that must begin again.
        var spare: EphemeralKey?
    }

    /// Nil where the gate cannot prove itself now, or the library cannot make a key.
    package func opening() -> Opening? { opening(at: clock.now()) }

    /// The same at a time that was read already.
    package func opening(at now: WallTime) -> Opening? {
        let keys = keys(at: now)
        guard keys.serve(offer.methods) else {
            turnAway()
            return nil
        }
        guard let ephemeral = ephemerals.next() else {
            log.error("ephemeral-key-unavailable: the cryptographic library could not make a key")
            return nil
        }
        return Opening(time: now, keys: keys, ephemeral: ephemeral, spare: ephemerals.next())
    }

    /// What the lane offers to a phone that comes at this time.
    func offer(at time: WallTime) -> GateOffer {
        offer.at(time: time.seconds, cacheGeneration: generation(), wantsSecondFactor: wantsSecondFactor(at: time))
    }

    /// Runs one presentation to its end, on the reader's own thread.
    package func present(_ link: any Link) -> PresentationDisposition {
        defer { ephemerals.refill() }
        guard let opening = opening() else { return .done }
        let offer = offer(at: opening.time)
        let gate = NFCGateConversation(offer: offer, keys: opening.keys, ephemeral: opening.ephemeral, spare: opening.spare)
        var presentation = Presentation(station: self, link: link, gate: gate, wantsSecondFactor: offer.context.wantsSecondFactor)
        return presentation.run()
    }

    package func wantsSecondFactor(at time: WallTime) -> Bool {
        secondFactor.isWanted { schedules.isInForce($0, time.reading, .restricts) }
    }

    /// Judges a UID-only card, of which the reader has read the number, on the reader's own thread.
    package func present(card number: [UInt8]) -> PresentationDisposition {
        var presentation = CardPresentation(station: self)
        return presentation.run(number)
    }

    /// A gate without a key has nothing to say to a phone.
    private func turnAway() {
        let now = MonotonicTime.milliseconds
        let attempt = Attempt(reader: reader, carrier: offer.context.carrier, began: now, deadline: now + deadline) { _ in }
        announce(attempt)
        _ = attempt.end()
        concludeUnproven(.laneFault, of: attempt)
    }
}

/// Who had a result last at a reader (T9): a phone that is lifted and comes back within its pause is not told apart from the next one before it
/// proves who it is.
///
/// The reader's thread calls, and that of radios; the lock guards one value.
final class LastHolder: Sendable {
    private let identifier = Mutex<[UInt8]?>(nil)

    /// Whether it was this one.
    func isHolder(_ identifier: [UInt8]) -> Bool { self.identifier.withLock { $0 == identifier } }

    /// It is this one from now on; nil where nobody is known.
    func become(_ identifier: [UInt8]?) { self.identifier.withLock { $0 = identifier } }
}
