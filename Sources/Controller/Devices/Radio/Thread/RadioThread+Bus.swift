import Glibc
import Threads

/// The connection to the bus, and to whom it leads.
extension RadioThread {
    /// What we listen to. Properties of links and adapters only: bluetoothd tells of much else.
    private static let rules = [
        "type='signal',sender='\(BusName.bus)',member='NameOwnerChanged',arg0='\(BluezName.service)'",
        "type='signal',sender='\(BluezName.service)',interface='\(BusName.objects)'",
        "type='signal',sender='\(BluezName.service)',interface='\(BusName.properties)',arg0='\(BluezName.adapter)'",
        "type='signal',sender='\(BluezName.service)',interface='\(BusName.properties)',arg0='\(BluezName.device)'"
    ]

    func connect() {
        reconnect.begins()
        joinBy = now + settings.patience.join
        let address: String? = if case .address(let address) = settings.bus { address } else { nil }
        do throws(SystemError) {
            let bus = try BusConnection(address: address)
            (busDescriptor, busEvents) = (bus.descriptor, bus.events)
            try waiting.add(busDescriptor, busEvents)
            self.bus = bus
        } catch {
            return lose(error)
        }
        for rule in Self.rules { call(.listen, BusName.bus, BusName.busPath, BusName.bus, "AddMatch", [.string(rule)]) }
        call(.owner, BusName.bus, BusName.busPath, BusName.bus, "GetNameOwner", [.string(BluezName.service)])
    }

    /// Somebody takes connections there who is no bus, or one that hangs.
    func giveUpJoining() { lose(SystemError("be let in by the D-Bus", ETIMEDOUT)) }

    /// Tells the kernel what the connection waits for.
    func prepareBus() {
        if let busFault { lose(busFault) }
        guard let bus, bus.events != busEvents else { return }
        busEvents = bus.events
        do throws(SystemError) {
            try waiting.change(busDescriptor, busEvents)
        } catch {
            lose(error)
        }
    }

    /// Serves what has come; the rest has its turn after everything else. Letters are opened after each message, so that whatever
    /// the client leaves keeps its place.
    func serveBus() -> Verdict {
        for _ in 0..<Self.messagesAtOnce {
            guard let bus else { return openLetters() }
            do throws(SystemError) {
                guard let message = try bus.next() else { return openLetters() }
                serve(message)
            } catch {
                lose(error)
            }
            if let busFault { lose(busFault) }
            guard openLetters() == .goOn else { return .stop }
        }
        return .goOn
    }

    /// Whatever was is no more; it is tried again a little later.
    private func lose(_ error: SystemError) {
        leaveBus()
        reconnect.failed(at: now)
        (owner, objects, standing) = (nil, BluezObjects(), .noBus(reason: error.message))
        look()
    }

    func leaveBus() {
        if busDescriptor >= 0 { waiting.remove(busDescriptor) }
        (bus, busDescriptor, busFault, joinBy) = (nil, -1, nil, nil)
        pending = PendingCalls()
        serviceWatch = nil
        calls = [:]
    }

    /// Calls a method; a failure is noticed when the present message has been served.
    func call(_ what: PendingCall, _ destination: String, _ path: String, _ interface: String, _ member: String, _ body: [BusValue] = []) {
        attempt { () throws(SystemError) in
            guard let bus else { return }
            pending.add(try bus.call(destination, path, interface, member, body), what, now: now)
            if what.isForService { serviceWatch?.asked(now: now) }
        }
    }

    func attempt(_ body: () throws(SystemError) -> Void) {
        do throws(SystemError) {
            try body()
        } catch {
            busFault = error
        }
    }

    // Messages ----------------------------------------------------------------------------------

    private func serve(_ message: BusMessage) {
        if message.sender == owner { serviceIsAlive(message) }
        switch message.kind {
        case .call: serveCall(message)
        case .answer: answered(message, nil)
        case .failure(let failure): answered(message, failure)
        case .signal: receive(message)
        }
        look()
    }

    private func receive(_ message: BusMessage) {
        let isFromBus = message.sender == BusName.bus
        guard isFromBus || message.sender == owner, let body = try? message.body() else { return }
        switch (message.interface, message.member) {
        case (BusName.bus, "NameOwnerChanged") where isFromBus && body.count == 3 && body[0].text == BluezName.service:
            serviceIs(body[2].text ?? "")
        case (BusName.objects, "InterfacesAdded") where body.count == 2: objects.add(body[0].text ?? "", body[1])
        case (BusName.objects, "InterfacesRemoved") where body.count == 2: objects.remove(body[0].text ?? "", body[1].texts ?? [])
        case (BusName.properties, "PropertiesChanged") where body.count == 3:
            objects.change(message.path, body[0].text ?? "", body[1])
        default: return
        }
    }

    private func answered(_ message: BusMessage, _ failure: BusFailure?) {
        guard let what = pending.remove(message.answers) else { return }
        let body = failure == nil ? (try? message.body()) ?? [] : []
        switch what {
        case .listen:
            // Without it we would be deaf.
            if let failure { busFault = SystemError("listen on the D-Bus (\(failure.name))", EACCES) }
        case .owner:
            reconnect.succeeded()
            joinBy = nil
            serviceIs(failure == nil ? body.first?.text ?? "" : "")
        case .objects(let owner):
            guard owner == self.owner else { return }
            objects = BluezObjects(body.first)
            standing = failure.map { .refused($0, until: now + RadioMachine.pauseMilliseconds) } ?? .up
            serviceWatch = failure == nil ? ServiceWatch(settings.patience, now: now) : nil
        case .command: examineSettings(body.first, failure)
        case .step(let radio, let request):
            if request.step == .forbidPairing { isPairable(request, failure, radio) }
            perform(machines[radio].answered(request, failure, now: now), radio: radio)
        case .life: break
        case .drop(let link):
            if let failure { isNotDropped(link, failure) }
        }
    }

    /// bluetoothd has that unique name from now on; none: nobody has it.
    private func serviceIs(_ name: String) {
        switch standing {
        case .noBus, .joining: break
        case .down, .asked, .refused, .up, .silent: if name == owner ?? "" { return }
        }
        owner = name.isEmpty ? nil : name
        objects = BluezObjects()
        standing = .down
        serviceWatch = nil
        askForObjects(since: now, refusal: nil)
        if owner != nil { askForSettings() }
        // What was on the air with the one before is off it.
        look()
    }

    /// bluetoothd has said something: it does not hang, or no longer.
    private func serviceIsAlive(_ message: BusMessage) {
        serviceWatch?.received(owesMore: pending.owes(besides: message.answers), now: now)
        if case .silent = standing { standing = .up }
    }

    /// Asks bluetoothd for a sign of life when it is time to, and notices when there is none.
    func watchService(_ now: Int64) {
        for what in pending.expire(at: now) {
            if case .objects(owner) = what, case .asked(let since, let refusal) = standing { askForObjects(since: since, refusal: refusal) }
        }
        if let owner, serviceWatch?.isQuestionDue(at: now) == true { call(.life, owner, "/", BusName.peer, "Ping") }
        if let since = serviceWatch?.silence(at: now), standing == .up { standing = .silent(since: since) }
    }

    /// - Parameters:
    ///   - since: when it was asked first, and has not answered.
    ///   - refusal: what it answered before.
    func askForObjects(since: Int64, refusal: BusFailure?) {
        guard let owner else { return }
        standing = .asked(since: since, refusal: refusal)
        call(.objects(owner: owner), owner, "/", BusName.objects, "GetManagedObjects")
    }

    private func isNotDropped(_ link: RadioLink, _ failure: BusFailure) {
        // The link may have ended meanwhile. Its phone may have come back: that is another link.
        guard let entry = links.entry(of: link) else { return }
        if BluezName.goneErrors.contains(failure.name) { return objects.isGone(entry.device) }
        // That there is no bluetoothd any more is told by the radio.
        if BusName.nobodyErrors.contains(failure.name) { return }
        guard notDropped.insert(link).inserted else { return }
        note(link.radio, "radio-link-not-dropped", "A link could not be ended: \(failure.text) (\(failure.name)).")
    }

    /// Each attempt to put the radio on the air asks for it once more: it is told when it is refused first.
    private func isPairable(_ request: RadioRequest, _ failure: BusFailure?, _ radio: Int) {
        guard let failure else { return pairable.subtract([request.adapter]) }
        guard pairable.insert(request.adapter).inserted else { return }
        note(settings.bindings[radio].name, "radio-stays-pairable", "bluetoothd refused \(request.step.name): \(failure.text) (\(failure.name)).")
    }
}
