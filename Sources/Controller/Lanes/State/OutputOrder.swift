import Encoding
import Storage

/// What a phone has ordered of an output, as it is written down (A1): until it is over the output is not what it was before.
struct OutputOrder: Hashable, Sendable {
    /// How the output is meanwhile.
    let isOn: Bool
    /// When it was ordered, in UNIX milliseconds.
    let since: Int64
    /// How long it lasts, in milliseconds.
    let length: Int64

    /// When it is over, in UNIX milliseconds.
    var until: Int64 { since + length }

    /// How it is written down.
    var cbor: CBOR { .array([CBOR(isOn), CBOR(since), CBOR(length)]) }

    /// An order.
    init(isOn: Bool, since: Int64, length: Int64) {
        self.isOn = isOn
        self.since = since
        self.length = length
    }

    /// Reads it back; nil if it is none.
    init?(_ cbor: CBOR) {
        guard let fields = cbor.array, fields.count == 3, let isOn = fields[0].bool, let since = fields[1].integer, let length = fields[2].integer,
              Self.lengths.contains(length), Self.times.contains(since) else { return nil }
        self.init(isOn: isOn, since: since, length: length)
    }

    /// Up to a week, as the configuration has it.
    private static let lengths: ClosedRange<Int64> = 0...10_080 * 60_000
    /// Sums of both are numbers still.
    private static let times: ClosedRange<Int64> = 0...(1 << 60)

    /// How much of it is left after a restart, in milliseconds. By a clock that nobody vouches for, or that was wrong when it was ordered,
    /// all of it: neither way of an output is known to be the safe one, but an end it has.
    /// - Parameter now: UNIX milliseconds; nil where nobody vouches for them.
    func rest(at now: Int64?) -> Int64 {
        guard let now, now >= since else { return length }
        return max(0, length - (now - since))
    }
}

extension GateState {
    /// What a phone has ordered of an output.
    func outputOrder(_ key: StateKey) -> OutputOrder? { self[key].flatMap { OutputOrder($0) } }
}
