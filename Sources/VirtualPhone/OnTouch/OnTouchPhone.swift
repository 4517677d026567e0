import Conversations
import Cryptography
import Encoding

/// The phone's side of onTouch over NFC: a card that takes command APDUs and gives responses. It is
/// the reference for app authors (docs/phone-protocol.md).
public struct OnTouchPhone: ~Copyable {
    private let identity: PhoneIdentity
    private let settings: PhoneSettings
    private var stage = PhoneStage.notSelected
    private var initiator: EDHOCInitiator?
    private var method = EDHOCMethod.bothSign
    /// What was shown last, for a gate that does not know the reference.
    private var shown: PhoneCredential?
    /// Whether credentials are shown by value only from now on.
    private var byValue = false
    /// The links of a command that is not complete.
    private var chain = CommandCollector(limit: OnTouchProfile.maximumCommandData)
    /// How many of our suites SUITES_I names; the last of them is the selected one.
    private var suiteCount = 1
    /// Whether error 2 was followed since SELECT: once is enough for an honest gate.
    private var hasNegotiated = false
    private var answer = ResponseSplitter([])
    /// How the tap ended; nil as long as it has not.
    public private(set) var result: PhoneResult?
    /// Every command since the phone was selected.
    public private(set) var steps: [PhoneStep] = []
    /// What the gate said of itself, once it proved its key in the latest exchange.
    public private(set) var gate: GateContext?

    /// The one status word for whatever the phone does not accept.
    public static let declined = StatusWord.conditionsNotSatisfied

    public init(identity: PhoneIdentity, settings: PhoneSettings = PhoneSettings()) {
        self.identity = identity
        self.settings = settings
    }

    /// The field is gone: whatever there was is over. `result` stays until the next SELECT.
    public mutating func fieldLost() {
        stage = .notSelected
        initiator = nil
        answer = ResponseSplitter([])
        chain = CommandCollector(limit: OnTouchProfile.maximumCommandData)
    }

    /// Takes a command APDU and gives the response APDU. Never traps, whatever comes.
    public mutating func receive(_ command: [UInt8]) -> [UInt8] {
        let response = respond(to: command).encoded
        steps.append(PhoneStep(command: command, response: response))
        return response
    }

    private mutating func respond(to bytes: [UInt8]) -> ResponseAPDU {
        guard let command = try? CommandAPDU(parsing: bytes) else { return ResponseAPDU(status: .wrongLength) }
        if command.ins != ResponseCollector.getResponse { answer = ResponseSplitter([]) }
        switch (command.cla, command.ins) {
        case (OnTouchProfile.interindustryClass, OnTouchProfile.selectInstruction):
            return select(command)
        case (OnTouchProfile.interindustryClass, ResponseCollector.getResponse),
             (OnTouchProfile.proprietaryClass, ResponseCollector.getResponse):
            guard !answer.isEmpty else { return ResponseAPDU(status: Self.declined) }
            return answer.next(expectedLength: command.expectedLength)
        case (OnTouchProfile.proprietaryClass, OnTouchProfile.exchangeInstruction),
             (OnTouchProfile.proprietaryClass, OnTouchProfile.outcomeInstruction),
             (OnTouchProfile.proprietaryClass | CommandChain.chainingBit, OnTouchProfile.exchangeInstruction),
             (OnTouchProfile.proprietaryClass | CommandChain.chainingBit, OnTouchProfile.outcomeInstruction):
            return collect(command)
        case (OnTouchProfile.interindustryClass, _), (OnTouchProfile.proprietaryClass, _):
            return ResponseAPDU(status: .insNotSupported)
        default:
            return ResponseAPDU(status: .claNotSupported)
        }
    }

    /// Puts the links of a chained command together (ISO/IEC 7816-4, 5.3.3).
    private mutating func collect(_ link: CommandAPDU) -> ResponseAPDU {
        if case .notSelected = stage { return ResponseAPDU(status: Self.declined) }
        guard let action = try? chain.receive(link) else { return decline(.chain) }
        switch action {
        case .acknowledge: return ResponseAPDU()
        case .complete(let command):
            return command.ins == OnTouchProfile.exchangeInstruction ? exchange(command) : outcome(command)
        }
    }

    private mutating func select(_ command: CommandAPDU) -> ResponseAPDU {
        guard command.p1 == OnTouchProfile.selectByName, command.data == OnTouchProfile.applicationIdentifier else {
            fieldLost()
            return ResponseAPDU(status: .fileNotFound)
        }
        steps = []
        result = nil
        shown = nil
        byValue = false
        suiteCount = 1
        hasNegotiated = false
        chain = CommandCollector(limit: OnTouchProfile.maximumCommandData)
        guard let message1 = begin() else { return decline(.ownCredential) }
        let version = UInt8(truncatingIfNeeded: settings.version)
        return answer(with: SelectAnswer(versions: [version], message1: message1).encoded)
    }

    /// A fresh exchange: its message_1.
    private mutating func begin() -> [UInt8]? {
        gate = nil
        let suites = Array(settings.suites.prefix(suiteCount))
        guard let suite = suites.last,
              let ephemeral = try? EphemeralKey.generate(for: CipherSuite(rawValue: suite) ?? .suite2)
        else { return nil }
        method = EDHOCMethod(initiatorSigns: identity.signs, responderSigns: settings.gateSigns)
        var initiator = EDHOCInitiator(
            method: method, suites: suites, connectionIdentifier: settings.connectionIdentifier, ephemeral: ephemeral)
        guard let message1 = try? initiator.makeMessage1(ead: settings.moreItems1) else { return nil }
        self.initiator = consume initiator
        stage = .offered
        return message1
    }

    private mutating func exchange(_ command: CommandAPDU) -> ResponseAPDU {
        switch (ExchangeKind(rawValue: command.p1), stage) {
        case (nil, _): return ResponseAPDU(status: .wrongP1P2)
        case (.message, .offered): return takeMessage2(command.data)
        case (.error, .offered): return takeError(command.data, hasShownItself: false)
        case (.error, .answered): return takeError(command.data, hasShownItself: true)
        case (.nextMessage1, .offered), (.nextMessage1, .answered), (.nextMessage1, .over):
            result = nil
            guard let message1 = begin() else { return decline(.ownCredential) }
            return answer(with: message1)
        case (.message, .notSelected), (.message, .answered), (.message, .over),
             (.error, .notSelected), (.error, .over), (.nextMessage1, .notSelected):
            return ResponseAPDU(status: Self.declined)
        }
    }

    private mutating func takeMessage2(_ message: [UInt8]) -> ResponseAPDU {
        do throws(PhoneStop) {
            return answer(with: try makeMessage3(message))
        } catch {
            return decline(error)
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
        let ours = ead.filter { $0.label == OnTouchProfile.gateContextLabel }
        guard !ead.contains(where: { $0.isCritical && $0.label != OnTouchProfile.gateContextLabel }),
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
            items.append(EADItem(label: OnTouchProfile.tokenLabel, isCritical: true, value: token))
        }
        return items
    }

    /// An EDHOC error of the gate. After error 3 the phone begins again by value, after error 2 with
    /// the first of its suites that the gate has.
    private mutating func takeError(_ message: [UInt8], hasShownItself: Bool) -> ResponseAPDU {
        guard let error = try? EDHOCErrorMessage(parsing: message) else { return decline(.exchange(.malformed("error"))) }
        initiator = nil
        stage = .over
        result = .refused(error)
        guard canBeginAgain(after: error, hasShownItself) else { return answer(with: []) }
        guard let message1 = begin() else { return decline(.ownCredential) }
        result = nil
        return answer(with: message1)
    }

    /// Error 2 answers message_1, error 3 message_3 (RFC 9528, 6.3 and 6.4); at another time they mean nothing.
    private mutating func canBeginAgain(after error: EDHOCErrorMessage, _ hasShownItself: Bool) -> Bool {
        switch error {
        case .unknownCredential:
            guard hasShownItself, shown?.byValue != nil else { return false }
            byValue = true
            return true
        case .wrongSuite(let supported):
            guard !hasShownItself, !hasNegotiated, let index = settings.suites.firstIndex(where: supported.contains), index + 1 != suiteCount else {
                return false
            }
            suiteCount = index + 1
            hasNegotiated = true
            return true
        case .unspecified, .other:
            return false
        }
    }

    private mutating func outcome(_ command: CommandAPDU) -> ResponseAPDU {
        guard case .answered(var channel) = stage else { return ResponseAPDU(status: Self.declined) }
        guard let opened = channel.open(command.data), let outcome = PhoneOutcome(parsing: opened) else {
            return decline(.outcome)
        }
        stage = .over
        result = .outcome(outcome)
        return ResponseAPDU()
    }

    private mutating func answer(with data: [UInt8]) -> ResponseAPDU {
        answer = ResponseSplitter(data, partCount: settings.partCount)
        return answer.next()
    }

    private mutating func decline(_ stop: PhoneStop) -> ResponseAPDU {
        initiator = nil
        stage = .over
        result = .stopped(stop)
        return ResponseAPDU(status: Self.declined)
    }
}

/// Where a phone stands.
private enum PhoneStage {
    /// SELECT has not come.
    case notSelected
    /// message_1 is out.
    case offered
    /// message_3 is out; an outcome can come by this channel.
    case answered(ApplicationChannel)
    /// Nothing more to say, but a new message_1 may be asked for.
    case over
}
