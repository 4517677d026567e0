import Threads

/// Everything the threads of this room share. Pure: it is told what was seen and when, and says
/// what is to be done.
struct ReadersState {
    enum Service {
        case down(PCSCError)
        /// Connected; each new connection to pcscd has the next number.
        case up(generation: UInt64)
        /// It has owed the watcher an answer since then, for longer than it may. What was known before counts no more.
        case silent(since: Int64)
    }

    /// So long may pcscd take for a call of the watcher's, beside a driver that keeps it busy.
    static let silentAfterMilliseconds: Int64 = 6_000

    private(set) var isStopping = false
    private(set) var service: Service
    private(set) var attached: [AttachedReader] = []
    var slots: [ReaderSlot]
    private var generation: UInt64 = 0
    /// Since when pcscd has owed the watcher an answer; nil while it owes none.
    private var watcherAsksSince: Int64?
    private var isSilent = false
    /// When it answered the watcher last; nil before it ever has.
    private var watcherAnsweredAt: Int64?
    /// What lies in the field of each attached reader, bound or not.
    private var fields: [String: Bool] = [:]

    /// - Parameter switchable: the readers whose USB port may be switched off and on.
    init(bindings: [ReaderBinding], switchable: Set<ReaderName> = []) {
        self.service = .down(PCSCError(number: 0x8010_001D))
        self.slots = bindings.map { ReaderSlot(binding: $0, hasPort: switchable.contains($0.name)) }
    }

    /// Asks every thread to end. Links end at once, whatever their calls still do.
    mutating func stop() {
        isStopping = true
        for slot in slots { slot.link?.invalidate() }
    }

    mutating func connected() {
        generation += 1
        // What refused the contexts of the old connection says nothing about the new one.
        for index in slots.indices { slots[index].contextRefusal = nil }
        service = .up(generation: generation)
    }

    mutating func disconnected(_ error: PCSCError) {
        service = .down(error)
        attached = []
        fields = [:]
        assign(at: 0)
    }

    /// A call of the watcher's begins. It cannot be cancelled.
    mutating func watcherAsks(at now: Int64) { watcherAsksSince = now }

    /// pcscd has answered it.
    mutating func watcherIsAnswered(at now: Int64) {
        watcherAsksSince = nil
        watcherAnsweredAt = now
        isSilent = false
    }

    /// Whether pcscd has answered the watcher since then: what hangs is not pcscd.
    func hasAnswered(since: Int64) -> Bool { watcherAnsweredAt.map { $0 >= since } ?? false }

    /// What the service is worth at this moment.
    var standing: Service {
        if isSilent, let since = watcherAsksSince { .silent(since: since) } else { service }
    }

    /// These readers are plugged in now. Answers which of them are new.
    mutating func listed(_ names: [String], at now: Int64) -> [String] {
        let known = Dictionary(attached.map { ($0.pcscName, $0) }) { first, _ in first }
        guard attached.map(\.pcscName) != names else { return [] }
        attached = names.map { known[$0] ?? AttachedReader(pcscName: $0) }
        fields = fields.filter { names.contains($0.key) }
        assign(at: now)
        return names.filter { known[$0] == nil }
    }

    /// A reader said who it is.
    mutating func identified(_ reader: AttachedReader, at now: Int64) {
        guard let index = attached.firstIndex(where: { $0.pcscName == reader.pcscName }) else { return }
        attached[index] = reader
        assign(at: now)
    }

    /// - Parameter card: what is there; nil where nobody knows.
    mutating func observed(_ change: ReaderObservation.Change, card: CardKind? = nil, on pcscName: String, at now: Int64) {
        guard change != .none else { return }
        let isFirstLook = fields[pcscName] == nil
        fields[pcscName] = change != .empty
        for index in slots.indices where slots[index].boundName == pcscName {
            slots[index].card = card
            slots[index].inquire(from: isFirstLook && change == .empty ? now : nil)
            switch change {
            case .none: break
            case .present: slots[index].presence.field(isPresent: true, at: now)
            case .empty: slots[index].presence.field(isPresent: false, at: now)
            case .flickered: slots[index].presence.flickered(at: now)
            }
        }
    }

    /// Of each reader; nil where that is not known yet.
    func readerStates(at now: Int64) -> [ReaderState?] {
        slots.map { slot in
            slot.state(service: standing, isSeen: slot.boundName.map { fields[$0] != nil } ?? false, at: now)
        }
    }

    /// What the thread of that slot does next. A presentation has begun when this says `serve`.
    mutating func step(ofSlot index: Int, at now: Int64) -> WaitStep<ReaderSlot.Step> {
        if isStopping { return .proceed(.stop) }
        guard case .up(let generation) = service, let pcscName = slots[index].boundName else {
            return .wait(until: nil)
        }
        if slots[index].contextGeneration != generation {
            let time = slots[index].contextNotBefore
            return now >= time ? .proceed(.establishContext(generation: generation)) : .wait(until: time)
        }
        if let step = recover(index, pcscName, at: now) { return step }
        switch slots[index].presence.step(at: now) {
        case .wait(until: let time): return slots[index].presence.isPresent ? .wait(until: time) : probe(index, pcscName, at: now)
        case .serve(let isRerun):
            slots[index].presence.begin()
            slots[index].turn(to: .connecting(since: now))
            return .proceed(.serve(pcscName: pcscName, isRerun: isRerun))
        }
    }

    /// An inquiry found a phone in a reader that pcscd called empty.
    mutating func found(inSlot index: Int, at now: Int64) {
        slots[index].finds += 1
        guard slots[index].finds == ReaderSlot.inquiryDelays.count, let pcscName = slots[index].boundName else { return }
        observed(.present, on: pcscName, at: now)
    }

    private mutating func probe(_ index: Int, _ pcscName: String, at now: Int64) -> WaitStep<ReaderSlot.Step> {
        guard slots[index].connectionRefusal != nil else { return inquire(index, pcscName, at: now) }
        guard now >= slots[index].probeNotBefore else { return .wait(until: slots[index].probeNotBefore) }
        slots[index].turn(to: .connecting(since: now))
        return .proceed(.probe(pcscName: pcscName))
    }

    private mutating func inquire(_ index: Int, _ pcscName: String, at now: Int64) -> WaitStep<ReaderSlot.Step> {
        guard let time = slots[index].inquiries.first, now >= time else { return check(index, pcscName, at: now, or: slots[index].inquiries.first) }
        slots[index].inquiries.removeFirst()
        slots[index].turn(to: .connecting(since: now))
        return .proceed(.inquire(pcscName: pcscName))
    }

    /// Marks what has become stuck; answers true when that is news.
    mutating func supervise(at now: Int64) -> WaitStep<Bool> {
        if isStopping { return .proceed(false) }
        var isNews = false
        if !isSilent, let since = watcherAsksSince, now - since >= Self.silentAfterMilliseconds {
            isSilent = true
            isNews = true
        }
        for index in slots.indices {
            if becomesSilent(index, at: now) { isNews = true }
            if becomesStuck(index, at: now) { isNews = true }
            if isPortDue(index, at: now) { isNews = true }
        }
        let silence = isSilent ? nil : watcherAsksSince.map { $0 + Self.silentAfterMilliseconds }
        let ports = slots.compactMap { $0.isStuck && $0.hasPort ? max($0.portNotBefore, now + Self.portPause) : nil }
        let times = slots.compactMap { $0.supervisionTime(at: now) } + [silence].compactMap(\.self) + ports
        return isNews ? .proceed(true) : .wait(until: times.min())
    }

    private mutating func assign(at now: Int64) {
        let assignments = ReaderAssignment.all(slots.map(\.binding), attached: attached)
        for index in slots.indices where slots[index].assignment != assignments[index] {
            let before = slots[index].boundName
            slots[index].assignment = assignments[index]
            guard slots[index].boundName != before else { continue }
            slots[index].presence.lostSight(at: now)
            slots[index].card = nil
            slots[index].connectionRefusal = nil
            slots[index].checkNotBefore = now + ReaderSlot.checkPause
            if let pcscName = slots[index].boundName, let isPresent = fields[pcscName] {
                slots[index].presence.field(isPresent: isPresent, at: now)
                slots[index].inquire(from: isPresent ? nil : now)
            }
        }
    }
}
