import PhoneProtocol
import Readers
import VirtualPhone

/// A phone in the same process, as a link that says when its last byte came.
final class PhoneLink: Link {
    private let card: PhoneCard
    private let watch: TapWatch
    private let pace: Pace
    private let atLastByte: (@Sendable () -> Void)?

    /// How long an answer takes.
    enum Pace {
        /// Not at all: the phone answers as soon as it has computed.
        case instant
        /// As long as over the air at 106 kbit/s, without any block framing; and a phone's processor
        /// needs its time for message_3.
        case phone

        /// ISO/IEC 14443-3 type A: eight bits and a parity bit, 9.44 µs each.
        static let nanosecondsPerByte: Int64 = 84_960
        /// Phones that compute on P-256 need more than the 52 ms that libnfc would wait by default.
        static let computingNanoseconds: Int64 = 50_000_000

        /// How long a command and its response take at least.
        func duration(_ command: [UInt8], _ response: [UInt8]) -> Int64 {
            switch self {
            case .instant: return 0
            case .phone:
                let computing = command[1] == PhoneProtocolProfile.exchangeInstruction ? Self.computingNanoseconds : 0
                return computing + Int64(command.count + response.count) * Self.nanosecondsPerByte
            }
        }
    }

    /// - Parameter atLastByte: called where the decision begins, before the gate has the last byte.
    init(_ card: PhoneCard, watch: TapWatch, pace: Pace = .instant, atLastByte: (@Sendable () -> Void)? = nil) {
        self.card = card
        self.watch = watch
        self.pace = pace
        self.atLastByte = atLastByte
    }

    func transmit(_ command: [UInt8]) throws(LinkError) -> [UInt8] {
        let start = Clock.now
        let response = card.receive(command)
        Clock.sleep(until: start + pace.duration(command, response))
        if let atLastByte, Self.isLast(response, to: command) { atLastByte() }
        watch.noteResponse()
        return response
    }

    /// Whether message_3 is complete: no part of it is left for GET RESPONSE.
    private static func isLast(_ response: [UInt8], to command: [UInt8]) -> Bool {
        command[1] != PhoneProtocolProfile.selectInstruction && command[1] != PhoneProtocolProfile.outcomeInstruction
            && response.suffix(2).elementsEqual([0x90, 0x00])
    }

    func close(atMonotonicMilliseconds deadline: Int64) {}

    func invalidate() {}
}
