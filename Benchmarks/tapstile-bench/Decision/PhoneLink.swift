import Readers
import VirtualPhone

/// A phone in the same process, as a link that says when its last byte came.
final class PhoneLink: Link {
    private let card: OnTouchCard
    private let watch: TapWatch
    private let pace: Pace

    /// How long bytes are under way.
    enum Pace {
        /// Not at all: the phone answers as soon as it has computed.
        case instant
        /// As long as over the air at 106 kbit/s, without any block framing.
        case air

        /// ISO/IEC 14443-3 type A: eight bits and a parity bit, 9.44 µs each.
        static let nanosecondsPerByte: Int64 = 84_960
    }

    init(_ card: OnTouchCard, watch: TapWatch, pace: Pace = .instant) {
        self.card = card
        self.watch = watch
        self.pace = pace
    }

    func transmit(_ command: [UInt8]) throws(LinkError) -> [UInt8] {
        let start = Clock.now
        let response = card.receive(command)
        switch pace {
        case .instant: break
        case .air: Clock.sleep(until: start + Int64(command.count + response.count) * Pace.nanosecondsPerByte)
        }
        watch.noteResponse()
        return response
    }

    func close(atMonotonicMilliseconds deadline: Int64) {}

    func invalidate() {}
}
