import Credentials
import Encoding

/// The gate's side of onTouch over NFC (docs/phone-protocol.md): commands out, responses in, nothing
/// touched. The order is `start`, then `receive` for every response until `identify`, then
/// `resolve`, then `outcome` or `refuse`, then `receive` until `finish`.
///
/// Whatever the phone sends leads to `finish` or to a proof; nothing it sends can stop the program.
public struct NFCGateConversation: ~Copyable {
    /// What to do next.
    public enum Action: Hashable, Sendable {
        /// Send this command and give its response to `receive`.
        case send([UInt8])
        /// The same, with message_2 in it: begin the durable attempt record, named by TH_2, first.
        case sendFinal([UInt8], transcript: [UInt8])
        /// The phone says who it is: look it up and call `resolve`.
        case identify(Claim)
        /// The conversation is over without a decision, or after its outcome.
        case finish(ConversationEnd)
    }

    private var stage = GateStage.ready
    private let offer: GateOffer
    private var exchange: GateExchange

    /// - Parameters:
    ///   - offer: what this lane offers, at this moment.
    ///   - ephemeral: a fresh key on each curve of the suites offered, made before the phone came.
    ///   - spare: another one, for a phone that must begin again after error 3; without it, it cannot.
    public init(
        offer: GateOffer, keys: GateKeys, ephemeral: consuming EphemeralKey, spare: consuming EphemeralKey? = nil
    ) {
        self.offer = offer
        exchange = GateExchange(
            keys: keys, maximumMessage2: PhoneProtocolProfile.maximumCommandData, ephemeral: ephemeral, spare: spare)
    }

    /// Begins: SELECT, or, for a phone that was selected already, the request for a new message_1.
    public mutating func start(alreadySelected: Bool = false) -> Action {
        guard case .ready = stage else { return misuse() }
        guard !alreadySelected else {
            stage = .awaitingMessage1(ResponseCollector(limit: PhoneProtocolProfile.maximumSelectAnswer))
            return .send(Self.exchange(.nextMessage1, []))
        }
        stage = .selecting(ResponseCollector(limit: PhoneProtocolProfile.maximumSelectAnswer))
        return .send(Self.select)
    }

    /// Takes the phone's response to the last command.
    public mutating func receive(_ response: [UInt8]) -> Action {
        guard var collector = stage.collector else { return misuse() }
        guard let parsed = try? ResponseAPDU(parsing: response),
              let step = try? collector.receive(parsed)
        else { return finish(stage.endOnBadResponse) }
        switch step {
        case .send(let command):
            stage.collector = collector
            return .send(command.encoded)
        case .complete(let data, let status):
            return handle(data, status)
        }
    }

    /// A whole response, its parts put together.
    private mutating func handle(_ data: [UInt8], _ status: StatusWord) -> Action {
        let isGood = status == .success
        switch stage {
        case .selecting:
            return isGood ? handleSelectAnswer(data) : finish(.stopped(.noApplication, detail: status.description))
        case .awaitingMessage1:
            return isGood ? handleMessage1(data) : finish(.stopped(.phoneDeclined, detail: status.description))
        case .linking(_, let rest, let command):
            return isGood ? send(rest, of: command) : finish(command.end(onStatus: status))
        case .exchanging:
            return isGood ? carry(exchange.receiveMessage3(data)) : finish(.stopped(.phoneDeclined, detail: status.description))
        case .refusing(_, let end, let mayRepeat):
            let beginsAgain = isGood && mayRepeat && !data.isEmpty && EDHOCErrorMessage.code(of: data) == nil
            return beginsAgain ? handleMessage1(data) : finish(end)
        case .reporting:
            return finish(isGood ? .outcomeTold : .outcomeNotTold(detail: status.description))
        case .ready, .deciding, .finished:
            return misuse()
        }
    }

    private mutating func handleSelectAnswer(_ data: [UInt8]) -> Action {
        guard let answer = SelectAnswer(parsing: data) else { return finish(.stopped(.protocolError, detail: "fci")) }
        guard answer.versions.contains(UInt8(PhoneProtocolProfile.version)) else {
            return finish(.stopped(.protocolVersion))
        }
        return handleMessage1(answer.message1)
    }

    private mutating func handleMessage1(_ message: [UInt8]) -> Action {
        carry(exchange.receiveMessage1(message, offer: offer))
    }

    /// Puts what is to be said into a command.
    private mutating func carry(_ reply: GateReply) -> Action {
        switch reply {
        case .message2(let message, let transcript):
            return send(Self.command(PhoneProtocolProfile.exchangeInstruction, message), of: .message2(transcript: transcript))
        case .claim(let claim):
            stage = .deciding
            return .identify(claim)
        case .error(let error, let end, let mayRepeat):
            stage = .refusing(ResponseCollector(limit: PhoneProtocolProfile.maximumSelectAnswer), end, mayRepeat: mayRepeat)
            return .send(Self.exchange(.error, error.encoded))
        case .outcome(let sealed):
            return send(Self.command(PhoneProtocolProfile.outcomeInstruction, sealed), of: .outcome)
        case .end(let end):
            return finish(end)
        }
    }

    /// Sends the next link of a command whose data may need several (ISO/IEC 7816-4, 5.3.3).
    private mutating func send(_ links: ArraySlice<CommandAPDU>, of command: ChainedCommand) -> Action {
        guard let link = links.first else { return misuse() }
        let rest = links.dropFirst()
        guard rest.isEmpty else {
            // A link is acknowledged by a status word alone.
            stage = .linking(ResponseCollector(limit: 0), rest: rest, command)
            return .send(link.encoded)
        }
        switch command {
        case .message2(let transcript):
            stage = .exchanging(ResponseCollector(limit: PhoneProtocolProfile.maximumExchangeAnswer))
            return .sendFinal(link.encoded, transcript: transcript)
        case .outcome:
            stage = .reporting(ResponseCollector(limit: PhoneProtocolProfile.maximumOutcomeAnswer))
            return .send(link.encoded)
        }
    }

    /// Checks the phone's proof against the credentials that its claim may mean, none if nobody is
    /// known by it. A gate token, and a key of the gate itself, are nobody's, whoever vouches for them: `wrong-role`.
    public mutating func resolve(_ candidates: [PeerCredential]) -> ProofResult { exchange.resolve(candidates) }

    /// The key for another beginning, which a phone that has proved itself does not need; before a proof there is none to take.
    public mutating func removeSpare() -> EphemeralKey? { exchange.removeSpare() }

    /// Tells the phone the result, encrypted: after a proof only.
    public mutating func outcome(_ outcome: PhoneOutcome) -> Action { carry(exchange.outcome(outcome)) }

    /// Refuses a phone that has not proved itself: the same for every reason. What it is told depends
    /// only on what it sent: after a reference, EDHOC error 3 and it may begin again with its
    /// credential by value, whether or not the reference was known; else error 1.
    /// - Parameter reason: the true one, for `finish`, where `resolve` has not found one itself.
    public mutating func refuse(_ reason: Reason = .malformed) -> Action { carry(exchange.refuse(reason)) }

    /// What is over stays as it ended.
    private mutating func finish(_ end: ConversationEnd) -> Action {
        if case .finished(let end) = stage { return .finish(end) }
        stage = .finished(end)
        exchange.close()
        return .finish(end)
    }

    /// A call out of order by our own caller. The conversation ends; it can grant nothing any more.
    private mutating func misuse() -> Action { finish(.outOfOrder) }

    private static let select = CommandAPDU(
        cla: PhoneProtocolProfile.interindustryClass, ins: PhoneProtocolProfile.selectInstruction,
        p1: PhoneProtocolProfile.selectByName, p2: 0, data: PhoneProtocolProfile.applicationIdentifier,
        expectedLength: 256).encoded

    /// A command with its data, in as many links as that needs.
    private static func command(_ instruction: UInt8, _ data: [UInt8]) -> ArraySlice<CommandAPDU> {
        CommandChain(CommandAPDU(
            cla: PhoneProtocolProfile.proprietaryClass, ins: instruction, data: data, expectedLength: 256)).commands[...]
    }

    private static func exchange(_ kind: ExchangeKind, _ data: [UInt8]) -> [UInt8] {
        CommandAPDU(
            cla: PhoneProtocolProfile.proprietaryClass, ins: PhoneProtocolProfile.exchangeInstruction,
            p1: kind.rawValue, p2: 0, data: data, expectedLength: 256).encoded
    }
}
