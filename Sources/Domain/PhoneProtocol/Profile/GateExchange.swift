import Credentials

/// The gate's side of one presentation, whatever carries it: EDHOC messages, claims, proofs, refusals and the two
/// invitations to begin again. `NFCGateConversation` puts it into APDUs, `BluetoothGateConversation` into values of a characteristic.
///
/// The order is `receiveMessage1`, `receiveMessage3`, `resolve`, then `outcome` or `refuse`; after an error that lets
/// the phone repeat, `receiveMessage1` again.
struct GateExchange: ~Copyable {
    private var stage = ExchangeStage.awaitingMessage1
    private let keys: GateKeys
    private let maximumMessage2: Int
    private var responder: EDHOCResponder?
    private var ephemeral: EphemeralKey?
    private var spare: EphemeralKey?
    /// A phone may begin again once after error 2 and once after error 3: both can be needed in one presentation.
    private var hasNamedSuites = false
    private var hasAskedForValue = false

    /// - Parameters:
    ///   - maximumMessage2: most bytes of message_2 that the carrier takes.
    ///   - ephemeral: a fresh key on each curve of the suites offered, made before the phone came.
    ///   - spare: another one, for a phone that must begin again after error 3; without it, it cannot.
    init(keys: GateKeys, maximumMessage2: Int, ephemeral: consuming EphemeralKey, spare: consuming EphemeralKey?) {
        self.keys = keys
        self.maximumMessage2 = maximumMessage2
        self.ephemeral = consume ephemeral
        self.spare = consume spare
    }

    /// Takes message_1, the first or one after an invitation, for a lane's offer.
    mutating func receiveMessage1(_ message: [UInt8], offer: GateOffer) -> GateReply {
        guard case .awaitingMessage1 = stage else { return close(.outOfOrder) }
        if let code = EDHOCErrorMessage.code(of: message) { return close(.declined(code: code)) }
        guard let key = ephemeral.take() else { return close(.stopped(.internalError, detail: "no-ephemeral-key")) }
        let methods = offer.methods.filter { keys.credential(for: $0) != nil }
        var responder = EDHOCResponder(
            methods: methods, suites: offer.suites,
            connectionIdentifier: PhoneProtocolProfile.connectionIdentifier, staticCurve: PhoneProtocolProfile.staticCurve, ephemeral: key)
        do throws(EDHOCError) {
            let opening = try responder.receiveMessage1(message)
            try EADItem.check(opening.ead, understood: [])
            guard let own = keys.credential(for: opening.method) else { throw .keyDoesNotFit }
            let message2 = try responder.makeMessage2(own, ead: [offer.context.item])
            guard message2.count <= maximumMessage2 else { return refuse(.message2TooLong, with: .uniform) }
            guard let transcript = responder.transcript2 else { throw .outOfOrder }
            responder.prepareForMessage3()
            self.responder = consume responder
            stage = .awaitingMessage3(opening, offer.context)
            return .message2(message2, transcript: transcript)
        } catch {
            guard case .wrongSuite(let suites) = error else { return refuse(.stopped(error), with: .uniform) }
            ephemeral = responder.removeUnusedEphemeral()
            return refuse(.stopped(error), with: .wrongSuite(suites))
        }
    }

    /// Takes message_3: whom the phone says it is, held against what was offered.
    mutating func receiveMessage3(_ message: [UInt8]) -> GateReply {
        guard case .awaitingMessage3(let opening, let context) = stage else { return close(.outOfOrder) }
        if let code = EDHOCErrorMessage.code(of: message) { return close(.declined(code: code)) }
        do {
            guard let claimed = try responder?.receiveMessage3(message) else { return close(.outOfOrder) }
            let claim = try Claim(claimed, opening: opening, context: context)
            stage = .identifying(claim)
            return .claim(claim)
        } catch let error as EDHOCError {
            return refuse(.stopped(error), with: .uniform)
        } catch let fault as ClaimFault {
            return refuse(.stopped(fault), with: .uniform)
        } catch {
            return refuse(.stopped(.protocolError), with: .uniform)
        }
    }

    /// Checks the phone's proof against the credentials that its claim may mean, none if nobody is
    /// known by it. A gate token, and a key of the gate itself, are nobody's, whoever vouches for them: `wrong-role`.
    mutating func resolve(_ candidates: [PeerCredential]) -> ProofResult {
        guard case .identifying(let claim) = stage else { return .refused(.internalError) }
        let isGate = claim.isGate(keys) || candidates.contains { keys.isOwn($0.key) }
        do throws(EDHOCError) {
            // A gate's key causes the same work as a stranger's, so that the clock does not tell either.
            let index = try responder?.verifyMessage3(candidates)
            guard !isGate else { throw .proofFailed }
            guard let index, let result = responder?.result else { throw .outOfOrder }
            stage = .proved(result)
            return .proved(Proof(candidate: index, claim: claim, result: result))
        } catch {
            let end = isGate ? ConversationEnd.stopped(Reason.wrongRole) : ConversationEnd.stopped(error)
            stage = .notProved(end, claim)
            return .refused(end.reason ?? .badProof)
        }
    }

    /// The result for the phone, encrypted: after a proof only.
    mutating func outcome(_ outcome: PhoneOutcome) -> GateReply {
        guard case .proved(let result) = stage else { return close(.outOfOrder) }
        var channel = ApplicationChannel.gateToPhone(result.session)
        do throws(EDHOCError) {
            let sealed = try channel.seal(outcome.encoded)
            stage = .over
            return .outcome(sealed)
        } catch {
            return close(.stopped(error))
        }
    }

    /// The key for another beginning, for another conversation: a phone that has proved itself begins no more. Nobody has seen anything of it.
    mutating func removeSpare() -> EphemeralKey? {
        guard case .proved = stage else { return nil }
        return spare.take()
    }

    /// Refuses a phone that has not proved itself: the same for every reason. What it is told depends
    /// only on what it sent: after a reference, EDHOC error 3 and it may begin again with its
    /// credential by value, whether or not the reference was known; else error 1.
    /// - Parameter reason: the true one, where `resolve` has not found one itself.
    mutating func refuse(_ reason: Reason) -> GateReply {
        switch stage {
        case .notProved(let end, let claim):
            return refuse(end, with: claim.isByReference ? .unknownCredential : .uniform)
        case .identifying(let claim):
            return refuse(.stopped(reason), with: claim.isByReference ? .unknownCredential : .uniform)
        case .proved:
            return refuse(.stopped(reason), with: .uniform)
        case .awaitingMessage1, .awaitingMessage3, .over:
            return close(.outOfOrder)
        }
    }

    private mutating func refuse(_ end: ConversationEnd, with error: EDHOCErrorMessage) -> GateReply {
        responder = nil
        if ephemeral == nil { ephemeral = spare.take() }
        let mayRepeat = invite(by: error) && ephemeral != nil
        stage = mayRepeat ? .awaitingMessage1 : .over
        return .error(error, end: end, mayRepeat: mayRepeat)
    }

    /// Whether the phone may begin again after this error; each invites once.
    private mutating func invite(by error: EDHOCErrorMessage) -> Bool {
        switch error {
        case .wrongSuite:
            defer { hasNamedSuites = true }
            return !hasNamedSuites
        case .unknownCredential:
            defer { hasAskedForValue = true }
            return !hasAskedForValue
        case .unspecified, .other:
            return false
        }
    }

    /// Nothing happens any more, and the keys are gone.
    mutating func close() {
        stage = .over
        responder = nil
        ephemeral = nil
        spare = nil
    }

    private mutating func close(_ end: ConversationEnd) -> GateReply {
        close()
        return .end(end)
    }
}

/// Where an exchange stands.
private enum ExchangeStage {
    /// message_1 can come.
    case awaitingMessage1
    /// message_2, with this context, is made.
    case awaitingMessage3(EDHOCOpening, GateContext)
    /// message_3 decrypts; the caller looks the phone up.
    case identifying(Claim)
    /// The proof is good; the caller decides.
    case proved(EDHOCResult)
    /// The proof is not good, or nobody is known by the claim.
    case notProved(ConversationEnd, Claim)
    /// Nothing more happens.
    case over
}

extension ConversationEnd {
    /// A call out of order by our own caller. It can grant nothing any more.
    static let outOfOrder = ConversationEnd.stopped(.internalError, detail: "out-of-order")
    /// A credential by value that this carrier cannot take: nothing that the phone could do better.
    static let message2TooLong = ConversationEnd.stopped(.internalError, detail: "message-2-too-long")
}
