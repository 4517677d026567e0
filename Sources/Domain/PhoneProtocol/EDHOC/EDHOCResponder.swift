import Cryptography

/// The responder of one EDHOC exchange (RFC 9528, 5): a gate towards a phone. Pure: bytes in, bytes
/// out. Steps go in one order, each once; whatever fails ends the exchange for good.
public struct EDHOCResponder: ~Copyable {
    private var stage = ResponderStage.waitingForMessage1
    /// Gone as soon as the last secret was made with it.
    private var ephemeral: EphemeralKey?
    private let methods: [EDHOCMethod]
    private let suites: [CipherSuite]
    private let connectionIdentifier: [UInt8]
    private let staticCurve: Curve?

    /// - Parameters:
    ///   - methods: the methods for which we have a key and which are allowed here.
    ///   - suites: the suites we support; one for whose curve there is no ephemeral key is left out.
    ///   - connectionIdentifier: C_R.
    ///   - staticCurve: the curve of long-term keys that agree, ours and those of initiators. Suites of another curve are
    ///     not supported in a method that has somebody agree. nil: keys of any curve may be there.
    public init(
        methods: [EDHOCMethod], suites: [CipherSuite], connectionIdentifier: [UInt8], staticCurve: Curve? = nil,
        ephemeral: consuming EphemeralKey
    ) {
        self.methods = methods
        let curves: [Curve?] = [ephemeral.key.publicKey.curve, ephemeral.alternative?.publicKey.curve]
        self.suites = suites.filter { curves.contains($0.agreementCurve) }
        self.staticCurve = staticCurve
        self.connectionIdentifier = connectionIdentifier
        self.ephemeral = consume ephemeral
    }

    /// Reads message_1: method, suite and the initiator's EAD_1.
    public mutating func receiveMessage1(_ message: [UInt8]) throws(EDHOCError) -> EDHOCOpening {
        guard case .waitingForMessage1 = stage else { throw fail(.outOfOrder) }
        do {
            let received = try ReceivedMessage1(message, methods: methods, suites: suites, staticCurve: staticCurve)
            stage = .receivedMessage1(received)
            return received.opening
        } catch {
            // Nothing was made with the ephemeral key, see `removeUnusedEphemeral`.
            stage = error.isWrongSuite ? .refusedSuite : .failed
            if case .failed = stage { ephemeral = nil }
            throw error
        }
    }

    /// The ephemeral key of an exchange that ended with error 2: it made no secret and its point was never sent, so
    /// that the exchange that follows may have it. nil after anything else.
    mutating func removeUnusedEphemeral() -> EphemeralKey? {
        guard case .refusedSuite = stage else { return nil }
        return ephemeral.take()
    }

    /// Makes message_2, proving possession of our key.
    public mutating func makeMessage2(_ own: OwnCredential, ead: [EADItem] = []) throws(EDHOCError) -> [UInt8] {
        guard case .receivedMessage1(let received) = stage, ephemeral != nil else { throw fail(.outOfOrder) }
        guard own.key.signs == received.opening.method.responderUsesSignature else { throw fail(.keyDoesNotFit) }
        do {
            let sent = try composeMessage2(received, own, ead: EADItem.encode(ead))
            stage = .sentMessage2(sent)
            return sent.message
        } catch {
            throw fail(error)
        }
    }

    private mutating func composeMessage2(
        _ received: ReceivedMessage1, _ own: OwnCredential, ead: [UInt8]
    ) throws(EDHOCError) -> SentMessage2 {
        guard let key = ephemeralKey(for: received.opening.suite) else { throw .outOfOrder }
        let sent = try SentMessage2(
            answering: received, ephemeral: key, own: own,
            connectionIdentifier: CompactIdentifier.encode(connectionIdentifier), ead: ead)
        // An initiator that signs needs the ephemeral key no more.
        if received.opening.method.initiatorUsesSignature { ephemeral = nil }
        return sent
    }

    /// Our ephemeral key on the curve of a suite.
    private mutating func ephemeralKey(for suite: CipherSuite) -> AgreementKey? {
        let keys: [AgreementKey?] = [ephemeral?.key, ephemeral?.alternative]
        return keys.compactMap { $0 }.first { $0.publicKey.curve == suite.agreementCurve }
    }

    /// TH_2, once message_2 is made: names this exchange before anybody is known.
    public var transcript2: [UInt8]? {
        switch stage {
        case .sentMessage2(let sent): sent.transcript2
        case .waitingForMessage1, .receivedMessage1, .receivedMessage3, .completed, .refusedSuite, .failed: nil
        }
    }

    /// Computes what message_3 will need, while the other side is computing it. Optional: without it
    /// the same work is done when message_3 arrives.
    public mutating func prepareForMessage3() {
        guard case .sentMessage2(var sent) = stage else { return }
        sent.prepare()
        stage = .sentMessage2(sent)
    }

    /// Decrypts message_3: who the initiator says it is, and its EAD_3. Nothing is proven yet.
    public mutating func receiveMessage3(_ message: [UInt8]) throws(EDHOCError) -> EDHOCClaim {
        guard case .sentMessage2(let sent) = stage else { throw fail(.outOfOrder) }
        do {
            let received = try ReceivedMessage3(message, answering: sent)
            stage = .receivedMessage3(received)
            return received.plaintext.claim
        } catch {
            throw fail(error)
        }
    }

    /// Checks the initiator's proof against the credentials that its identifier may mean.
    /// - Returns: the index of the one that fits.
    public mutating func verifyMessage3(_ candidates: [PeerCredential]) throws(EDHOCError) -> Int {
        guard case .receivedMessage3(let received) = stage else { throw fail(.outOfOrder) }
        do {
            let (index, completed) = try received.verify(candidates, ephemeral: ephemeralKey(for: received.suite))
            ephemeral = nil
            stage = .completed(completed)
            return index
        } catch {
            throw fail(error)
        }
    }

    /// What both sides agree on after a verified message_3.
    public var result: EDHOCResult? {
        switch stage {
        case .completed(let completed): completed
        case .waitingForMessage1, .receivedMessage1, .sentMessage2, .receivedMessage3, .refusedSuite, .failed: nil
        }
    }

    private mutating func fail(_ error: EDHOCError) -> EDHOCError {
        stage = .failed
        ephemeral = nil
        return error
    }
}

/// Where a responder stands.
private enum ResponderStage {
    /// Nothing was received.
    case waitingForMessage1
    /// message_1 is good; message_2 is not made yet.
    case receivedMessage1(ReceivedMessage1)
    /// message_2 is made.
    case sentMessage2(SentMessage2)
    /// message_3 decrypts; the proof in it is not checked.
    case receivedMessage3(ReceivedMessage3)
    /// The proof is good.
    case completed(EDHOCResult)
    /// message_1 selected a suite that we do not have, or not the best one: nothing more happens.
    case refusedSuite
    /// Something failed: nothing more happens.
    case failed
}
