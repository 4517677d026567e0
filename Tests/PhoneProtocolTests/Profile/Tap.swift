import Credentials
import PhoneProtocol
import VirtualPhone

/// One tap, from SELECT to the end, with a link in between that can be tampered with.
struct Tap {
    /// Changes an APDU on the air: which command (from 0), whether it is the response, the bytes.
    typealias Interference = (_ index: Int, _ isResponse: Bool, _ bytes: [UInt8]) -> [UInt8]

    var commands: [[UInt8]] = []
    var responses: [[UInt8]] = []
    var transcripts: [[UInt8]] = []
    var claims: [Claim] = []
    var proof: Proof?
    var refusal: Reason?
    var end: ConversationEnd?

    /// Most commands a conversation may take; more would be a loop.
    static let mostCommands = 64

    static func run(
        _ gate: inout NFCGateConversation, _ phone: inout NFCPhone,
        knowing candidates: (Claim) -> [PeerCredential],
        sending outcome: PhoneOutcome = PhoneOutcome(result: .granted, reason: .granted),
        interfering change: Interference = { _, _, bytes in bytes }
    ) -> Tap {
        var tap = Tap()
        var action = gate.start()
        while tap.commands.count < mostCommands {
            switch action {
            case .send(let command), .sendFinal(let command, _):
                if case .sendFinal(_, let transcript) = action { tap.transcripts.append(transcript) }
                let index = tap.commands.count
                tap.commands.append(change(index, false, command))
                tap.responses.append(change(index, true, phone.receive(tap.commands[index])))
                action = gate.receive(tap.responses[index])
            case .identify(let claim):
                tap.claims.append(claim)
                switch gate.resolve(candidates(claim)) {
                case .proved(let proof):
                    tap.proof = proof
                    action = gate.outcome(outcome)
                case .refused(let reason):
                    tap.refusal = reason
                    action = gate.refuse()
                }
            case .finish(let end):
                tap.end = end
                return tap
            }
        }
        return tap
    }

    /// Bytes on the air up to and with message_3, without block framing.
    func byteCount(commands count: Int) -> Int {
        commands.prefix(count).map(\.count).reduce(0, +) + responses.prefix(count).map(\.count).reduce(0, +)
    }
}
