/// The life of one radio: from what is around it to the requests that put it on the air. Pure; times are monotonic
/// milliseconds.
///
/// The advertisement is taken away and registered anew after each connection, because many controllers stop advertising then.
/// To refresh it by a change of its properties would be shorter, but kills a bluetoothd before 5.74 when the controller refuses.
/// `RenewalPace` bounds what a stranger can make of that.
struct RadioMachine {
    enum Phase: Hashable {
        /// Nothing can be asked of an adapter, for that reason.
        case hindered(RadioState)
        /// What hinders may only be that adapter or bluetoothd have just come: a fault from then on.
        case settling(RadioState, until: Int64)
        /// The application is on its way.
        case introducing(adapter: String, RadioAttempt)
        /// The application is there; the advertisement is on its way, or is so again.
        case announcing(adapter: String, RadioAttempt, wasOnAir: Bool)
        /// Phones find it.
        case onAir(adapter: String)
    }

    /// After a refusal.
    static let pauseMilliseconds: Int64 = 1_000
    /// After bluetoothd has given the advertisement up: it does so too when the adapter is about to go.
    static let releasePauseMilliseconds: Int64 = 250
    /// After phones have come and gone: the kernel's own renewal and ours may have met in a controller that then does neither, and
    /// nobody tells.
    static let afterPhonesMilliseconds: Int64 = 2_000
    /// Without any phones: an advertisement that a controller has lost is back by then.
    static let afterQuietMilliseconds: Int64 = 300_000
    /// So long may bluetoothd take for one request.
    static let patienceMilliseconds: Int64 = 10_000

    private(set) var phase: Phase = .hindered(.starting)
    private let settlingMilliseconds: Int64
    private var requests: UInt64 = 0
    /// Connections have come or gone since the advertisement was last asked for.
    private var isStale = false
    private var links = 0
    /// What the radio was refused last, and has not been given since: while it is asked for again, nothing is different.
    private var lastRefusal: BusFailure?
    private var pace = RenewalPace()
    /// Then the advertisement is renewed although nothing has happened.
    private var refreshAt = Int64.max

    /// - Parameter settlingMilliseconds: a bluetoothd that has just started finds its adapters one after the other, switches
    ///   them on and shows what they can.
    init(settlingMilliseconds: Int64 = 3_000) {
        self.settlingMilliseconds = settlingMilliseconds
    }

    // What happens ------------------------------------------------------------------------------

    /// The surroundings are so, now.
    mutating func look(at around: RadioSurroundings, now: Int64) -> [RadioRequest] {
        switch AdapterVerdict(around, now: now) {
        case .hindered(let state): (phase, lastRefusal) = (.hindered(state), nil)
        case .unready(let state):
            lastRefusal = nil
            settle(state, now)
        case .fit(let adapter) where adapterInUse != adapter:
            lastRefusal = nil
            return introduce(adapter, now)
        case .fit: break
        }
        return []
    }

    /// bluetoothd has answered a request.
    mutating func answered(_ request: RadioRequest, _ failure: BusFailure?, now: Int64) -> [RadioRequest] {
        guard request.number == numberWaitedFor else { return [] }
        switch request.step {
        case .forbidPairing: return []
        case .registerApplication:
            // One from before the adapter was switched off is as good.
            if let failure, failure.name != BluezName.alreadyExists { return refused(failure, now) }
            return announce(request.adapter, now, wasOnAir: false)
        case .unregisterAdvertisement:
            return [ask(.registerAdvertisement, request.adapter, now)]
        case .registerAdvertisement:
            if let failure { return refused(failure, now) }
            (phase, lastRefusal) = (.onAir(adapter: request.adapter), nil)
            // What was due by now is done by this.
            refreshAt = min(refreshAt > now ? refreshAt : .max, now + Self.afterQuietMilliseconds)
            return isStale ? renew(request.adapter, now, wasOnAir: true) : []
        }
    }

    /// bluetoothd has given up the advertisement by itself.
    mutating func released(now: Int64) -> [RadioRequest] {
        guard case .onAir(let adapter) = phase else { return [] }
        phase = .announcing(adapter: adapter, .due(at: pace.next(from: now + Self.releasePauseMilliseconds)), wasOnAir: true)
        return []
    }

    /// So many phones are connected now; it was another number before.
    mutating func connections(_ count: Int, now: Int64) -> [RadioRequest] {
        links = count
        refreshAt = now + Self.afterPhonesMilliseconds
        switch phase {
        case .onAir(let adapter): return renew(adapter, now, wasOnAir: true)
        case .announcing(let adapter, .refused, let wasOnAir): return renew(adapter, now, wasOnAir: wasOnAir)
        case .announcing(_, .asked, _): isStale = true
        case .hindered, .settling, .introducing, .announcing: break
        }
        return []
    }

    /// The time has come to it.
    mutating func advance(to now: Int64) -> [RadioRequest] {
        guard let time = nextChange, now >= time else { return [] }
        switch phase {
        case .settling(let state, _): phase = .hindered(state)
        case .introducing(_, .asked(let step, _, _)), .announcing(_, .asked(let step, _, _), _):
            return refused(.unanswered(step.name), now)
        case .introducing(let adapter, _): return introduce(adapter, now)
        case .announcing(let adapter, _, let wasOnAir): return renew(adapter, now, wasOnAir: wasOnAir)
        case .onAir(let adapter): return renew(adapter, now, wasOnAir: true)
        case .hindered: break
        }
        return []
    }

    // What follows ------------------------------------------------------------------------------

    /// When `advance` has something to do.
    var nextChange: Int64? {
        switch phase {
        case .hindered: nil
        // While phones are there the end of each renews it.
        case .onAir: links == 0 ? refreshAt : nil
        case .settling(_, let time): time
        case .introducing(_, let attempt), .announcing(_, let attempt, _): attempt.end
        }
    }

    /// What the radio is good for. A refusal counts until the radio is on the air, however often it is asked in between.
    var state: RadioState {
        switch phase {
        case .hindered(let state): state
        case .settling: .starting
        case .introducing: refusal ?? .starting
        case .announcing(_, _, let wasOnAir): refusal ?? (wasOnAir ? .ready : .starting)
        case .onAir: .ready
        }
    }

    private var refusal: RadioState? { lastRefusal.map { .refused(error: $0.name, text: $0.text) } }

    /// Its adapter is off or blocked, and nobody tells when that ends.
    var waitsForPower: Bool {
        switch state {
        case .off, .blocked: true
        case .starting, .ready, .busDown, .serviceDown, .serviceSilent, .absent, .ambiguous, .noPeripheralRole, .refused, .strengthUnknown: false
        }
    }

    /// The adapter that it uses, by its path.
    var adapterInUse: String? {
        switch phase {
        case .hindered, .settling: nil
        case .introducing(let adapter, _), .announcing(let adapter, _, _), .onAir(let adapter): adapter
        }
    }

    private var numberWaitedFor: UInt64? {
        switch phase {
        case .introducing(_, .asked(_, let number, _)), .announcing(_, .asked(_, let number, _), _): number
        case .hindered, .settling, .introducing, .announcing, .onAir: nil
        }
    }

    // Steps -------------------------------------------------------------------------------------

    /// An adapter that was in use, or known to be unfit, is a fault at once.
    private mutating func settle(_ state: RadioState, _ now: Int64) {
        switch phase {
        case .settling(_, let time): phase = .settling(state, until: time)
        case .introducing, .announcing, .onAir: phase = .hindered(state)
        case .hindered(let before) where Self.hasJustCome(state, after: before):
            phase = .settling(state, until: now + settlingMilliseconds)
        case .hindered: phase = .hindered(state)
        }
    }

    private static func hasJustCome(_ state: RadioState, after before: RadioState) -> Bool {
        switch before {
        case .starting, .ready, .busDown, .serviceDown, .serviceSilent, .refused, .strengthUnknown: return true
        case .off, .blocked, .noPeripheralRole, .ambiguous: return false
        case .absent: if case .absent = state { return false } else { return true }
        }
    }

    private mutating func introduce(_ adapter: String, _ now: Int64) -> [RadioRequest] {
        phase = .introducing(adapter: adapter, .due(at: now))
        let request = ask(.registerApplication, adapter, now)
        return [RadioRequest(step: .forbidPairing, adapter: adapter, number: request.number), request]
    }

    /// As soon as it may be.
    private mutating func renew(_ adapter: String, _ now: Int64, wasOnAir: Bool) -> [RadioRequest] {
        let time = pace.next(from: now)
        guard time == now else {
            phase = .announcing(adapter: adapter, .due(at: time), wasOnAir: wasOnAir)
            return []
        }
        pace.use(at: now)
        return announce(adapter, now, wasOnAir: wasOnAir)
    }

    private mutating func announce(_ adapter: String, _ now: Int64, wasOnAir: Bool) -> [RadioRequest] {
        isStale = false
        phase = .announcing(adapter: adapter, .due(at: now), wasOnAir: wasOnAir)
        return [ask(.unregisterAdvertisement, adapter, now)]
    }

    private mutating func ask(_ step: RadioStep, _ adapter: String, _ now: Int64) -> RadioRequest {
        requests += 1
        set(.asked(step, number: requests, until: now + Self.patienceMilliseconds))
        return RadioRequest(step: step, adapter: adapter, number: requests)
    }

    private mutating func refused(_ failure: BusFailure, _ now: Int64) -> [RadioRequest] {
        if !isExpectedToBeRefused { lastRefusal = failure }
        set(.refused(until: now + Self.pauseMilliseconds))
        return []
    }

    /// While phones are connected, an advertisement that is refused is no fault: many controllers cannot advertise then, and it is
    /// asked for again when one of them goes. What was refused before they came stays a fault.
    private var isExpectedToBeRefused: Bool {
        if case .announcing(_, _, wasOnAir: true) = phase { links > 0 } else { false }
    }

    private mutating func set(_ attempt: RadioAttempt) {
        switch phase {
        case .introducing(let adapter, _): phase = .introducing(adapter: adapter, attempt)
        case .announcing(let adapter, _, let wasOnAir): phase = .announcing(adapter: adapter, attempt, wasOnAir: wasOnAir)
        case .hindered, .settling, .onAir: return
        }
    }
}
