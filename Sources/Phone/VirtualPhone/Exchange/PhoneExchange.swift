import PhoneProtocol

/// The phone's side of one presentation, whatever carries it: EDHOC messages, what it holds a gate to, and the two ways
/// to begin again. `NFCPhone` puts it into responses of a card, `BluetoothPhone` into values of a characteristic.
struct PhoneExchange: ~Copyable {
    private let identity: PhoneIdentity
    private let settings: PhoneSettings
    private(set) var stage = PhoneStage.idle
    private var initiator: EDHOCInitiator?
    private var method = EDHOCMethod.bothSign
    /// What was shown last, for a gate that does not know the reference.
    private var shown: PhoneCredential?
    /// Whether credentials are shown by value only from now on.
    private var byValue = false
    /// How many of our suites SUITES_I names; the last of them is the selected one.
    private var suiteCount = 1
    /// Whether error 2 was followed in this presentation: once is enough for an honest gate.
    private var hasNegotiated = false
    /// How the presentation ended; nil as long as it has not.
    private(set) var result: PhoneResult?
    /// What the gate said of itself, once it proved its key in the latest exchange.
    private(set) var gate: GateContext?

    init(identity: PhoneIdentity, settings: PhoneSettings) {
        self.identity = identity
        self.settings = settings
    }

    /// The gate is out of reach: whatever there was is over. `result` stays until the next beginning.
    mutating func forget() {
        stage = .idle
        initiator = nil
    }

    /// A new presentation: its message_1.
    mutating func start() -> PhoneReply {
        shown = nil
        byValue = false
        suiteCount = 1
        hasNegotiated = false
        return begin()
    }

    /// A fresh exchange: its message_1.
    mutating func begin() -> PhoneReply {
        result = nil
        gate = nil
        let suites = Array(settings.suites.prefix(suiteCount))
        guard let suite = suites.last,
              let ephemeral = try? EphemeralKey.generate(for: CipherSuite(rawValue: suite) ?? .suite2)
        else { return stop(.ownCredential) }
        method = EDHOCMethod(initiatorSigns: identity.signs, responderSigns: settings.gateSigns)
        var initiator = EDHOCInitiator(
            method: method, suites: suites, connectionIdentifier: settings.connectionIdentifier, ephemeral: ephemeral)
        guard let message1 = try? initiator.makeMessage1(ead: settings.items1) else { return stop(.ownCredential) }
        self.initiator = consume initiator
        stage = .offered
        return .message1(message1)
    }

    /// Takes message_2.
    mutating func receiveMessage2(_ message: [UInt8]) -> PhoneReply {
        do throws(PhoneStop) {
            return .message3(try makeMessage3(message))
        } catch {
            return stop(error)
        }
    }

    /// Verifies the gate and what it says, then answers. The order keeps who we are to ourselves
    /// until the gate has proved itself.
    private mutating func makeMessage3(_ message: [UInt8]) throws(PhoneStop) -> [UInt8] {
        do {
            guard let claim = try initiator?.receiveMessage2(message) else { throw PhoneStop.exchange(.outOfOrder) }
            let known = try gates(named: claim.identifier)
            guard let index = try initiator?.verifyMessage2(known.map(\.gate)) else { throw PhoneStop.exchange(.outOfOrder) }
            // From here on this site's own things are used, and nothing of another site.
            let membership = known[index].membership
            let context = try context(in: claim.ead)
            let credential = byValue ? membership.credential.byValue ?? membership.credential : membership.credential
            guard let identifier = credential.identifier else { throw PhoneStop.ownCredential }
            let own = OwnCredential(identifier: identifier, credential: credential.bytes, key: membership.key)
            shown = credential
            let items = items(for: context, beside: membership)
            let message3 = try initiator?.makeMessage3(own, ead: items)
            guard let message3, let agreed = initiator?.result else { throw PhoneStop.exchange(.outOfOrder) }
            gate = context
            stage = .answered(.gateToPhone(agreed.session))
            return message3
        } catch let stop as PhoneStop {
            throw stop
        } catch let error as EDHOCError {
            throw .exchange(error)
        } catch {
            throw .context
        }
    }

    /// Whom the gate may be. For one that the phone does not know, the proof is checked all the same, with nobody's key:
    /// a reader that tries one `kid` after the other shall not learn by the time which gates this phone knows.
    private mutating func gates(named identifier: CredentialIdentifier) throws(PhoneStop) -> [PhoneIdentity.Possibility] {
        do throws(PhoneStop) {
            return try identity.gates(named: identifier, method: method, at: settings.time)
        } catch {
            _ = try? initiator?.verifyMessage2(PhoneIdentity.decoy)
            throw error
        }
    }

    /// EAD_2, held against what the phone sees.
    private func context(in ead: [EADItem]) throws(PhoneStop) -> GateContext {
        let ours = ead.filter { $0.label == PhoneProtocolProfile.gateContextLabel }
        guard !ead.contains(where: { $0.isCritical && $0.label != PhoneProtocolProfile.gateContextLabel }),
              ours.count == 1, ours[0].isCritical, let value = ours[0].value
        else { throw .context }
        if let version = GateContext.version(ofValue: value), version != settings.version { throw .version(version) }
        guard let context = GateContext(value: value) else { throw .context }
        guard context.carrier == settings.carrier else { throw .carrier }
        return context
    }

    private func items(for context: GateContext, beside membership: PhoneMembership) -> [EADItem] {
        var items = settings.moreItems3 + [settings.request(lane: context.lane).item]
        if let token = membership.accompanyingToken {
            items.append(EADItem(label: PhoneProtocolProfile.tokenLabel, isCritical: true, value: token))
        }
        return items
    }

    /// Takes an EDHOC error of the gate, to message_1 or to message_3. After error 3 the phone begins again by value,
    /// after error 2 with the first of its suites that the gate has.
    mutating func receiveError(_ message: [UInt8]) -> PhoneReply {
        guard let error = try? EDHOCErrorMessage(parsing: message) else { return stop(.exchange(.malformed("error"))) }
        guard canBeginAgain(after: error) else { return end(.refused(error)) }
        return begin()
    }

    /// Error 2 answers message_1, error 3 message_3 (RFC 9528, 6.3 and 6.4); at another time they mean nothing.
    private mutating func canBeginAgain(after error: EDHOCErrorMessage) -> Bool {
        switch (error, stage) {
        case (.unknownCredential, .answered):
            guard shown?.byValue != nil else { return false }
            byValue = true
            return true
        case (.wrongSuite(let supported), .offered):
            guard !hasNegotiated, let index = settings.suites.firstIndex(where: supported.contains), index + 1 != suiteCount else {
                return false
            }
            suiteCount = index + 1
            hasNegotiated = true
            return true
        case (.unknownCredential, _), (.wrongSuite, _), (.unspecified, _), (.other, _):
            return false
        }
    }

    /// Takes the encrypted outcome.
    mutating func receiveOutcome(_ sealed: [UInt8]) -> PhoneReply {
        guard case .answered(var channel) = stage, let opened = channel.open(sealed), let outcome = PhoneOutcome(parsing: opened) else {
            return stop(.outcome)
        }
        return end(.outcome(outcome))
    }

    /// The phone itself stops.
    mutating func stop(_ stop: PhoneStop) -> PhoneReply { end(.stopped(stop)) }

    private mutating func end(_ result: PhoneResult) -> PhoneReply {
        initiator = nil
        stage = .over
        self.result = result
        return .end(result)
    }
}
