import Credentials
import Encoding
import Gate
import PhoneProtocol
import Vocabulary

/// A gate in one conversation, with the controller's way to a decision.
final class Turnstile {
    let site: Int
    let place: Place
    /// What this gate says of itself; no other conversation has the same.
    let context: GateContext
    private var gate: NFCGateConversation
    private let identifier: Identifier
    private let clock: ClockReading
    /// Everything that it may say to a phone that it refuses.
    private let refusals: [[UInt8]]
    /// The command that waits for its response; nil when it is over.
    private(set) var pending: [UInt8]?
    /// All data it was given.
    private(set) var heard: [UInt8] = []
    /// Every message_2 it has made.
    private(set) var message2s: [[UInt8]] = []
    private var chain: [UInt8] = []
    /// The data of the response to the latest message_2, its first part.
    private var firstPart: [UInt8]?
    private var awaitsFirstPart = false
    /// The phone's statement that it believed.
    private(set) var statement: Statement?
    /// The data of its OUTCOME.
    private(set) var told: [UInt8]?

    init(_ run: Run, site: Int, lane: String, carrier: Carrier, methods: [EDHOCMethod], suites: [CipherSuite],
         isByValue: Bool, wantsSecondFactor: Bool) throws {
        let own = run.town.sites[site]
        let trust = run.trust[site]
        let time = Town.begin + Int64(run.gates.count)
        let offer = try GateOffer(gateIdentifier: "gate-1", lane: lane, carrier: carrier, methods: methods, suites: suites)
            .at(time: time, cacheGeneration: trust.generation, wantsSecondFactor: wantsSecondFactor)
        refusals = Self.refusals(suites)
        self.site = site
        context = offer.context
        place = Place(site: own.name, zone: nil, lane: lane)
        clock = ClockReading(seconds: time, trust: .synchronised)
        identifier = Identifier(place: place, policy: VerificationPolicy(), enrolledNeedClock: false,
                                known: { trust.tokens.token(named: $0) }, ask: { trust.answer($0) })
        gate = NFCGateConversation(offer: offer, keys: isByValue ? own.keysByValue : own.keys, ephemeral: try EphemeralKey.generateOnBothCurves(),
                           spare: try EphemeralKey.generateOnBothCurves())
        guard case .send(let command) = gate.start() else { return }
        pending = command
    }

    /// A response arrives, whoever sent it.
    func receive(_ response: [UInt8], in run: Run) throws {
        guard pending != nil else { return }
        if let answer = try? ResponseAPDU(parsing: response) {
            heard += answer.data
            if awaitsFirstPart { firstPart = answer.data }
        }
        awaitsFirstPart = false
        try go(on: gate.receive(response), run)
    }

    private func go(on first: NFCGateConversation.Action, _ run: Run) throws {
        var action = first
        while true {
            switch action {
            case .send(let command):
                try note(command, run)
                return
            case .sendFinal(let command, _):
                try note(command, run)
                awaitsFirstPart = true
                return
            case .identify(let claim):
                action = try identify(claim, run)
            case .finish:
                pending = nil
                return
            }
        }
    }

    /// Looks at a command on its way out.
    private func note(_ command: [UInt8], _ run: Run) throws {
        pending = command
        guard let parsed = try? CommandAPDU(parsing: command) else { return }
        switch (parsed.ins, ExchangeKind(rawValue: parsed.p1)) {
        case (PhoneProtocolProfile.exchangeInstruction, .message):
            let whole = chain + parsed.data
            chain = parsed.cla & 0x10 == 0 ? [] : whole
            guard chain.isEmpty else { return }
            message2s.append(whole)
            guard let content = try? CBOR.decode(whole).bytes else { return }
            try hold(.reusedEphemeral, run.points.insert(Array(content.prefix(32))).inserted)
        case (PhoneProtocolProfile.exchangeInstruction, .error):
            try hold(.telltaleRefusal, refusals.contains(parsed.data))
        case (PhoneProtocolProfile.outcomeInstruction, _):
            told = parsed.data
        default:
            break
        }
    }

    /// `(1, "refused")`, `(3, true)`, and `(2, SUITES_R)` with what this gate offers: all of it, or what goes with keys that agree.
    private static func refusals(_ suites: [CipherSuite]) -> [[UInt8]] {
        let named = suites.map(\.rawValue)
        let errors = [named, named.filter { $0 != 6 }].map { EDHOCErrorMessage.wrongSuite($0).encoded }
        return [[0x01, 0x67] + Array("refused".utf8), [0x03, 0xF5]] + errors
    }

    /// As `Presentation` does.
    private func identify(_ claim: Claim, _ run: Run) throws -> NFCGateConversation.Action {
        if let phone = latestStatement(in: run)?.phone {
            guard let home = phone.person.homes[site] else { throw Broken(law: .identityToAnotherSite) }
            try hold(.identityToAnotherSite, home.presented.contains(claim.presented))
        }
        switch identifier.identify(claim, clock: clock) {
        case .stranger(let reason):
            _ = gate.resolve(PeerCredential.decoy)
            return gate.refuse(reason)
        case .candidates(let candidates):
            switch gate.resolve(candidates.map(\.peer)) {
            case .refused(let reason): return gate.refuse(reason)
            case .proved(let proof): return try decide(proof, candidates[proof.candidate].holder, run)
            }
        }
    }

    /// What a phone said in the message_3 that this gate was given, if it was one.
    private func latestStatement(in run: Run) -> Statement? {
        run.statements.last { $0.firstPart == firstPart && $0.gate === self }
    }

    private func decide(_ proof: Proof, _ holder: Holder, _ run: Run) throws -> NFCGateConversation.Action {
        let result = PresentationResult(holder.result, wantsSecondFactor: context.wantsSecondFactor)
        let decision = Gatekeeper.decide(result, on: .clear, at: Instant(milliseconds: 0))
        run.count.proofs += 1
        if holder.subject == Eve.name {
            try hold(.grantToTheUnauthorised, !decision.isGranted)
        } else {
            try check(proof, holder, isGrant: decision.isGranted, run)
        }
        if decision.isGranted {
            run.count.grants += 1
            if case .keyIdentifier = proof.claim.presented, holder.verifiedToken != nil { run.count.references += 1 }
        }
        if let token = holder.verifiedToken { run.trust[site].tokens.remember(token.token, verifiedIn: token.generation) }
        return gate.outcome(PhoneOutcome(result: decision.isGranted ? .granted : .refused, reason: decision.reason))
    }

    /// Whatever was proved, a phone has said here and now, for this lane, carrier and command.
    private func check(_ proof: Proof, _ holder: Holder, isGrant: Bool, _ run: Run) throws {
        guard let statement = latestStatement(in: run) else { throw Broken(law: .grantWithoutProof) }
        self.statement = statement
        try hold(.proofCountedTwice, !statement.isSpent)
        statement.isSpent = true
        let phone = statement.phone
        let request = proof.claim.request
        try hold(.grantOfAnother, holder.subject == phone.person.name)
        try hold(.grantWithoutProof, request.command == phone.command && request.lane == context.lane
            && request.carrier == context.carrier && phone.settings.carrier == context.carrier)
        guard let home = phone.person.homes[site] else { throw Broken(law: .identityToAnotherSite) }
        if proof.claim.method.initiatorUsesSignature {
            try hold(.unsignedEvidence, proof.evidence.isSigned(by: home.key) && proof.evidence.ead.contains(run: request.item.value ?? [0]))
        }
        guard isGrant else { return }
        let isRevoked = home.revocations.contains { run.trust[site].revoked.contains($0) }
        let isTrusted = home.token == nil || run.trust[site].trustsIssuer
        let isEnough = home.isAttested || !context.wantsSecondFactor
        try hold(.grantToTheUnauthorised, phone.command == PhoneProtocolProfile.defaultCommand && !isRevoked && isTrusted && isEnough)
    }
}
