import PhoneProtocol
import Readers
import Threads
import VirtualPhone

/// A phone in the same process, as a link: answers, leaves, falls silent or says nonsense.
final class SoakLink: Link {
    /// What the phone does. Commands are counted from 0.
    enum Behaviour: Sendable {
        /// It answers until the end.
        case stays
        /// It has left the field before it answers that command.
        case leaves(before: Int)
        /// One bit of its answer to that command arrives as another one.
        case stutters(at: Int, byte: Int)
        /// It answers SELECT as a card of somebody else's does.
        case isNotOurs
        /// It gives no answer to that command, and none later, until the gate gives up.
        case isSilent(from: Int)
    }

    private struct State {
        var commands = 0
        var isInvalid = false
    }

    /// SCARD_W_REMOVED_CARD, as pcscd tells it.
    private static let removed = LinkFault(PCSCError(number: 0x8010_0069))
    /// ISO/IEC 7816-4: no such application.
    private static let noApplication: [UInt8] = [0x6A, 0x82]

    private let card: PhoneCard
    private let behaviour: Behaviour
    private let state = Monitor(State())

    init(_ identity: PhoneIdentity, _ settings: PhoneSettings, _ behaviour: Behaviour) {
        card = PhoneCard(NFCPhone(identity: identity, settings: settings))
        self.behaviour = behaviour
    }

    func transmit(_ command: [UInt8]) throws(LinkError) -> [UInt8] {
        let (number, isInvalid) = state.withLock { state in
            defer { state.commands += 1 }
            return (state.commands, state.isInvalid)
        }
        guard !isInvalid else { throw .timedOut }
        switch behaviour {
        case .stays:
            return card.receive(command)
        case .leaves(let last):
            guard number < last else { throw .cardGone(Self.removed) }
            return card.receive(command)
        case .stutters(let odd, let byte):
            let response = card.receive(command)
            return number == odd ? Self.flipped(response, byte) : response
        case .isNotOurs:
            return Self.noApplication
        case .isSilent(let first):
            guard number >= first else { return card.receive(command) }
            state.wait { $0.isInvalid ? () : nil }
            throw .timedOut
        }
    }

    func close(atMonotonicMilliseconds deadline: Int64) {}

    func invalidate() {
        state.change { $0.isInvalid = true }
    }

    private static func flipped(_ response: [UInt8], _ byte: Int) -> [UInt8] {
        var response = response
        if response.indices.contains(byte) { response[byte] ^= 0x10 }
        return response
    }
}
