import Cryptography

/// The initiator of one EDHOC exchange (RFC 9528, 5): a phone towards a gate. Pure, in one order,
/// each step once; whatever fails ends the exchange for good.
public struct EDHOCInitiator: ~Copyable {
    private var stage = InitiatorStage.ready
    /// Gone as soon as the last secret was made with it.
    private var ephemeral: EphemeralKey?
    private let method: EDHOCMethod
    private let suites: [Int]
    private let connectionIdentifier: [UInt8]

    /// - Parameters:
    ///   - suites: SUITES_I: everything preferred to the selected suite, then the selected one.
    ///   - connectionIdentifier: C_I.
    public init(
        method: EDHOCMethod, suites: [Int], connectionIdentifier: [UInt8], ephemeral: consuming EphemeralKey
    ) {
        self.method = method
        self.suites = suites
        self.connectionIdentifier = connectionIdentifier
        self.ephemeral = consume ephemeral
    }

    /// Makes message_1.
    public mutating func makeMessage1(ead: [EADItem] = []) throws(EDHOCError) -> [UInt8] {
        guard case .ready = stage, let point = ephemeral?.point else { throw fail(.outOfOrder) }
        let message = Message1(
            method: method.rawValue, suites: suites, point: point,
            connectionIdentifier: connectionIdentifier, ead: ead).encoded
        // A suite we do not have can be asked for, so that a gate may name its own; no answer is read.
        stage = .sentMessage1(SHA256.hash(message))
        return message
    }

    /// Decrypts message_2: who the responder says it is, and its EAD_2. Nothing is proven yet.
    public mutating func receiveMessage2(_ message: [UInt8]) throws(EDHOCError) -> EDHOCClaim {
        guard case .sentMessage1(let hash) = stage, let key = ephemeral?.key else { throw fail(.outOfOrder) }
        guard let suite = suites.last.flatMap(CipherSuite.init(rawValue:)),
              suite.agreementCurve == key.publicKey.curve
        else { throw fail(.keyDoesNotFit) }
        do {
            let received = try ReceivedMessage2(message, method: method, suite: suite, message1Hash: hash, ephemeral: key)
            stage = .receivedMessage2(received)
            return received.plaintext.claim
        } catch {
            throw fail(error)
        }
    }

    /// Checks the responder's proof against the credentials that its identifier may mean.
    /// - Returns: the index of the one that fits.
    public mutating func verifyMessage2(_ candidates: [PeerCredential]) throws(EDHOCError) -> Int {
        guard case .receivedMessage2(let received) = stage, let key = ephemeral?.key else { throw fail(.outOfOrder) }
        do {
            let (index, verified) = try received.verify(candidates, ephemeral: key)
            ephemeral = nil
            stage = .verifiedMessage2(verified)
            return index
        } catch {
            throw fail(error)
        }
    }

    /// Makes message_3, proving possession of our key.
    public mutating func makeMessage3(_ own: OwnCredential, ead: [EADItem] = []) throws(EDHOCError) -> [UInt8] {
        guard case .verifiedMessage2(let verified) = stage else { throw fail(.outOfOrder) }
        guard own.key.signs == method.initiatorUsesSignature else { throw fail(.keyDoesNotFit) }
        do {
            let (message, result) = try verified.makeMessage3(own, ead: EADItem.encode(ead))
            stage = .completed(result)
            return message
        } catch {
            throw fail(error)
        }
    }

    /// What both sides agree on, if the responder accepts message_3. Nothing confirms it until
    /// protected data arrives.
    public var result: EDHOCResult? {
        switch stage {
        case .completed(let result): result
        case .ready, .sentMessage1, .receivedMessage2, .verifiedMessage2, .failed: nil
        }
    }

    private mutating func fail(_ error: EDHOCError) -> EDHOCError {
        stage = .failed
        ephemeral = nil
        return error
    }
}

/// Where an initiator stands.
private enum InitiatorStage {
    /// Nothing was sent.
    case ready
    /// message_1 is made; this is its hash.
    case sentMessage1([UInt8])
    /// message_2 decrypts; the proof in it is not checked.
    case receivedMessage2(ReceivedMessage2)
    /// The responder is who it says.
    case verifiedMessage2(VerifiedMessage2)
    /// message_3 is made.
    case completed(EDHOCResult)
    /// Something failed: nothing more happens.
    case failed
}

/// Who the other side says it is, decrypted but not proven.
public struct EDHOCClaim: Hashable, Sendable {
    /// C_R, by which the responder wants to be addressed; empty in message_3.
    public let connectionIdentifier: [UInt8]
    /// ID_CRED_x.
    public let identifier: CredentialIdentifier
    /// EAD_2 or EAD_3. Whoever does not understand a critical item must stop.
    public let ead: [EADItem]
}

/// A fresh Diffie-Hellman key for one exchange; for a gate one on each curve, because the phone selects the suite. It is
/// made before the phone arrives and cannot be copied: the exchange that takes it is the only one that can ever use it
/// (RFC 9528, 9.7), the half of which it has no need included.
public struct EphemeralKey: ~Copyable, Sendable {
    let key: AgreementKey
    /// The key on the other curve; nil where the suite is settled.
    let alternative: AgreementKey?

    /// Makes one on the curve of a cipher suite.
    public static func generate(for suite: CipherSuite) throws(CryptographyError) -> EphemeralKey {
        EphemeralKey(known: try AgreementKey.generate(suite.agreementCurve))
    }

    /// Makes one on each curve, for a gate that serves all suites.
    public static func generateOnBothCurves() throws(CryptographyError) -> EphemeralKey {
        let key = try AgreementKey.generate(.p256)
        return EphemeralKey(known: key, alternative: try AgreementKey.generate(.x25519))
    }

    /// A key whose private part is known already: published traces only.
    package init(known key: AgreementKey, alternative: AgreementKey? = nil) {
        self.key = key
        self.alternative = alternative
        point = key.publicKey.x
    }

    /// G_X: the x-coordinate of `key`. Stored: Swift 6.0 cannot compile a getter that reaches through the only
    /// field of a type that cannot be copied.
    let point: [UInt8]
}
