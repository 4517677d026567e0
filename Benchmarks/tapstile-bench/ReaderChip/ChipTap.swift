import PhoneProtocol
import VirtualPhone

/// A granted tap at a virtual PN532 whose bytes take their time. Times are nanoseconds by the chip's clock.
struct ChipTap: Sendable {
    /// The gate's thread had the phone from here
    let began: Int64
    /// to there.
    let ended: Int64
    /// So long after `began` the relay line was written.
    let relay: Int64
    /// What the gate waited for the journal.
    let waited: Int64
    /// So long the same commands took without a gate, to each answer; nil where that was not asked for.
    let bare: [Int64]?
    /// What was said, and how long the phone computed.
    let steps: [TapRecorder.Step]
    /// What was on the air since the field went on.
    let air: [AirRecord]

    /// The answer to select, which is the last thing before the chip reports the phone.
    private var selected: Int? {
        air.indices.first { index in
            guard index > 0, case .sent(let frame) = air[index - 1].event, case .answered = air[index].event else { return false }
            return frame.bytes.first == 0xE0
        }
    }

    /// From the last byte that the phone says of itself to the last byte of SELECT, both on the air: the chip's report, what the gate does
    /// with it, and the command on its way are in it.
    var toSelect: Int64? {
        guard let selected, selected + 1 < air.count else { return nil }
        return air[selected + 1].time - air[selected].time
    }

    /// From that last byte to the end of the presentation, OUTCOME answered.
    var whole: Int64? { selected.map { ended - air[$0].time } }

    /// What bytes must take in a conversation, on the wire and on the air.
    private var bytes: Double {
        let said = selected.map { air[($0 + 1)...] } ?? []
        return ByteTimes.air(said) + steps.reduce(0) { $0 + ByteTimes.wire($1.command, $1.response) }
    }

    /// What the gate and its program add to a conversation by libnfc alone.
    var share: Int64? { bare?.last.map { ended - began - $0 } }

    /// The same up to the relay, to which libnfc's part is the conversation to the last byte of message_3.
    var shareToRelay: Int64? {
        guard let bare, let last = steps.lastIndex(where: { $0.command[1] != PhoneProtocolProfile.outcomeInstruction }) else { return nil }
        return relay - bare[last]
    }

    /// The whole over what the bytes of all of it must take: before the conversation the chip's report of 17 bytes, and the order that makes it
    /// patient with its answer.
    var ratio: Double? {
        whole.map { Double($0) / (bytes + ByteTimes.frame(17) + ByteTimes.frame(6) + ByteTimes.frame(2)) }
    }
}
