import Credentials

/// The gate's side of onTouch over Bluetooth (docs/phone-protocol.md): one characteristic, which the phone writes and
/// reads. Nothing is touched, and no time is known: deadlines are the caller's. The order is `write` for every value
/// that the phone writes until `identify`, then `resolve`, then `outcome` or `refuse`; `read` whenever the phone reads.
///
/// Whatever the phone writes leads to `finish` or to a proof; nothing it writes can stop the program.
public struct BluetoothGateConversation: GateConversation, ~Copyable {
    /// What to do next.
    public enum Action: Hashable, Sendable {
        /// Nothing: the phone may read an error, and begin again after it.
        case accept
        /// The phone may read message_2: begin the durable attempt record, named by TH_2, first. `offer` is the
        /// index of the lane taken.
        case acceptFinal(offer: Int, transcript: [UInt8])
        /// The phone says who it is: look it up and call `resolve`.
        case identify(Claim)
        /// The conversation is over. What can be read stays readable.
        case finish(ConversationEnd)
    }

    private var stage = PeripheralStage.awaitingMessage1
    private let offers: [GateOffer]
    private var exchange: GateExchange
    /// Which of the offers answers.
    private var offer = 0
    /// Whether EAD_2 has named its lane: a phone that begins again stays there.
    private var isTaken = false
    /// What the phone reads.
    private var value: [UInt8]?

    /// - Parameters:
    ///   - offers: what the lanes behind this radio offer, at this moment, the preferred one first. Carrier BLE.
    ///   - ephemeral: a fresh key on each curve of the suites offered, made before the phone came.
    ///   - spare: another one, for a phone that must begin again after error 3; without it, it cannot.
    public init(
        offers: [GateOffer], keys: GateKeys, ephemeral: consuming EphemeralKey, spare: consuming EphemeralKey? = nil
    ) {
        self.offers = offers
        exchange = GateExchange(keys: keys, maximumMessage2: Frame.maximumPayload, ephemeral: ephemeral, spare: spare)
    }

    /// Takes a value that the phone wrote. After the end nothing changes any more.
    public mutating func write(_ value: [UInt8]) -> Action {
        if case .finished(let end) = stage { return .finish(end) }
        self.value = nil
        guard let frame = Frame(parsing: value) else { return breakOff("frame") }
        if frame.kind != .outcome, let code = EDHOCErrorMessage.code(of: frame.payload) { return handleError(code) }
        switch (frame.kind, stage) {
        case (.message, .awaitingMessage1), (.message, .refusing): return handleMessage1(frame.payload)
        case (.message, .awaitingMessage3): return carry(exchange.receiveMessage3(frame.payload))
        case (.error, .awaitingMessage3): return breakOff("error-message")
        case (.error, .refusing(let end)): return finish(end)
        case (.error, .awaitingMessage1), (.outcome, _), (_, .deciding), (_, .finished): return breakOff("unexpected-frame")
        }
    }

    /// What the phone reads: nil if nothing is ready. The same bytes until it writes again.
    public mutating func read() -> [UInt8]? {
        if case .finished(.outcomeNotTold) = stage, value != nil { stage = .finished(.outcomeTold) }
        return value
    }

    /// How the conversation has ended, or will have if the phone goes now; nil as long as it has not come to a
    /// refusal or an outcome. An outcome counts as told once it was read.
    public var end: ConversationEnd? {
        switch stage {
        case .awaitingMessage1, .awaitingMessage3, .deciding: nil
        case .refusing(let end), .finished(let end): end
        }
    }

    private mutating func handleMessage1(_ message: [UInt8]) -> Action {
        if !isTaken { offer = requestedLane(in: message) ?? 0 }
        guard offers.indices.contains(offer) else { return finish(.stopped(.internalError, detail: "no-offer")) }
        return carry(exchange.receiveMessage1(message, offer: offers[offer]))
    }

    /// The lane that the phone would like, if it is offered.
    private func requestedLane(in message1: [UInt8]) -> Int? {
        guard offers.count > 1, let requestedLane = RequestedLane(message1: message1) else { return nil }
        // Byte by byte: Swift would take some different texts for the same.
        return offers.firstIndex { $0.context.lane.utf8.elementsEqual(requestedLane.lane.utf8) }
    }

    /// The phone stops. It reads nothing more, whenever it says so: an error answers no error.
    private mutating func handleError(_ code: Int64) -> Action {
        switch stage {
        case .awaitingMessage3: finish(.declined(code: code))
        case .refusing(let end): finish(end)
        case .awaitingMessage1, .deciding, .finished: finish(.stopped(.protocolError, detail: "unexpected-frame"))
        }
    }

    /// Checks the phone's proof against the credentials that its claim may mean, none if nobody is
    /// known by it. A gate token, and a key of the gate itself, are nobody's, whoever vouches for them: `wrong-role`.
    public mutating func resolve(_ candidates: [PeerCredential]) -> ProofResult { exchange.resolve(candidates) }

    /// The key for another beginning, which a phone that has proved itself does not need; before a proof there is none to take.
    public mutating func removeSpare() -> EphemeralKey? { exchange.removeSpare() }

    /// Tells the phone the result, encrypted: after a proof only. It is told when the phone reads it, see `end`.
    public mutating func outcome(_ outcome: PhoneOutcome) -> Action { carry(exchange.outcome(outcome)) }

    /// Refuses a phone that has not proved itself, as `NFCGateConversation.refuse` does: `accept` if it may begin again.
    /// - Parameter reason: the true one, for `finish`, where `resolve` has not found one itself.
    public mutating func refuse(_ reason: Reason = .malformed) -> Action { carry(exchange.refuse(reason)) }

    /// Makes what is to be said readable.
    private mutating func carry(_ reply: GateReply) -> Action {
        switch reply {
        case .message2(let message, let transcript):
            value = Frame(.message, message).encoded
            isTaken = true
            stage = .awaitingMessage3
            return .acceptFinal(offer: offer, transcript: transcript)
        case .claim(let claim):
            stage = .deciding
            return .identify(claim)
        case .error(let error, let end, let mayRepeat):
            value = Frame(.error, error.encoded).encoded
            guard mayRepeat else { return finish(end) }
            stage = .refusing(end)
            return .accept
        case .outcome(let sealed):
            guard sealed.count <= Frame.maximumPayload else { return finish(.outcomeNotTold(detail: "too-long")) }
            value = Frame(.outcome, sealed).encoded
            return finish(.outcomeNotTold(detail: "not-read"))
        case .end(let end):
            return finish(end)
        }
    }

    /// The phone wrote what it must not. It learns what every stranger does.
    private mutating func breakOff(_ detail: String) -> Action {
        value = Frame(.error, EDHOCErrorMessage.uniform.encoded).encoded
        return finish(end ?? .stopped(.protocolError, detail: detail))
    }

    /// What is over stays as it ended.
    private mutating func finish(_ end: ConversationEnd) -> Action {
        if case .finished(let end) = stage { return .finish(end) }
        stage = .finished(end)
        exchange.close()
        return .finish(end)
    }
}

/// Where the gate's side of a conversation over Bluetooth stands.
private enum PeripheralStage {
    /// Nothing was written.
    case awaitingMessage1
    /// message_2 can be read.
    case awaitingMessage3
    /// The phone says who it is: the caller looks it up and decides.
    case deciding
    /// An EDHOC error can be read, and the phone may begin again; it ends like this if it does not.
    case refusing(ConversationEnd)
    /// Over.
    case finished(ConversationEnd)
}
