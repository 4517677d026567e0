import Threads
import VirtualPhone

/// The rhythm of a long time of polling, in tenths of it. It holds as much at the end as at the beginning.
final class RhythmWatch: Sendable {
    struct State: Sendable {
        /// Of each tenth: how many cycles took so many milliseconds; the last number stands for all that took longer.
        fileprivate(set) var tenths: [[Int]]
        fileprivate(set) var cycles = 0
        /// Cycles in which something else was said than one announcement and one request.
        fileprivate(set) var odd = 0
        fileprivate var began: Int64?
        fileprivate var onSince: Int64?
        fileprivate var isOn = false
        fileprivate var sent = 0
        fileprivate var announced = false
    }

    private static let longest = 2_000
    private let tenth: Int64
    private let state: Monitor<State>

    /// - Parameter nanoseconds: how long it will be, by the chip's clock.
    init(nanoseconds: Int64) {
        tenth = max(1, nanoseconds / 10)
        state = Monitor(State(tenths: [[Int]](repeating: [Int](repeating: 0, count: Self.longest + 1), count: 10)))
    }

    /// Called by the chip.
    @Sendable func add(_ record: AirRecord) {
        state.change { [tenth] state in
            switch record.event {
            case .fieldOn: Self.begins(&state, record.time, tenth)
            case .fieldOff: Self.ends(&state)
            case .sent(let frame):
                state.sent += 1
                if state.sent == 1 { state.announced = frame.bytes.first == 0x6A }
            case .answered: state.odd += 1
            }
        }
    }

    private static func begins(_ state: inout State, _ time: Int64, _ tenth: Int64) {
        if state.isOn { state.odd += 1 }
        let began = state.began ?? time
        if let onSince = state.onSince {
            let part = min(9, Int((time - began) / tenth))
            state.tenths[part][min(longest, Int((time - onSince) / 1_000_000))] += 1
            state.cycles += 1
        }
        (state.began, state.onSince, state.isOn, state.sent, state.announced) = (began, time, true, 0, false)
    }

    private static func ends(_ state: inout State) {
        // The first time the chip is only being opened.
        if state.isOn, state.cycles > 0, state.sent != 2 || !state.announced { state.odd += 1 }
        state.isOn = false
    }

    var now: State { state.withLock(\.self) }

    /// Waits until so many tenths are over; false when nothing moves any more.
    func wait(forTenths count: Int, untilNanoseconds deadline: Int64) -> Bool {
        state.wait(untilNanoseconds: deadline) { [tenth] state -> Void? in
            guard let began = state.began, let latest = state.onSince else { return nil }
            return latest - began >= Int64(count) * tenth ? () : nil
        } != nil
    }
}

extension RhythmWatch.State {
    /// Milliseconds of the cycle in the middle of a tenth.
    func median(ofTenth number: Int) -> Double {
        let counts = tenths[number]
        var left = counts.reduce(0, +) / 2
        for (milliseconds, count) in counts.enumerated() {
            left -= count
            if left < 0 { return Double(milliseconds) }
        }
        return 0
    }
}
