import Encoding
import Gate
import Service
import Storage
import Vocabulary

/// What an operator or a phone has asked of a lane, as it is written down so that it holds after a restart (A1, A2).
package struct LaneOrder: Hashable, Sendable {
    /// The mode; never `normal`, which is no order.
    package let mode: LaneMode
    /// Which way it holds the lane open; nil where the lane says so.
    package let direction: Direction?
    /// When it was asked for, in UNIX milliseconds.
    package let since: Int64
    /// When it is over, in UNIX milliseconds; nil when somebody asks for another.
    package let until: Int64?
    /// Who asked on this machine; nil for a phone, which the record of its outcome names.
    package let requester: Requester?

    /// How it is written down.
    var cbor: CBOR {
        .array([
            .text(mode.rawValue), direction.map { .text($0.rawValue) } ?? .null, CBOR(since), until.map { CBOR($0) } ?? .null,
            requester.map { .unsigned(UInt64($0.user)) } ?? .null, requester.map { CBOR(Int64($0.process)) } ?? .null
        ])
    }

    /// An order.
    package init(mode: LaneMode, direction: Direction?, since: Int64, until: Int64?, requester: Requester?) {
        self.mode = mode
        self.direction = direction
        self.since = since
        self.until = until
        self.requester = requester
    }

    /// Reads it back; nil if it is none.
    package init?(_ cbor: CBOR) {
        guard let fields = cbor.array, fields.count == 6, let mode = fields[0].text.flatMap(LaneMode.init(rawValue:)), mode != .normal,
              let since = fields[2].integer else { return nil }
        let requester: Requester?
        if fields[4].isNull, fields[5].isNull {
            requester = nil
        } else if let user = fields[4].unsignedInteger.flatMap(UInt32.init(exactly:)), let process = fields[5].integer.flatMap(Int32.init(exactly:)) {
            requester = Requester(user: user, process: process)
        } else {
            return nil
        }
        self.init(mode: mode, direction: fields[1].text.flatMap(Direction.init(rawValue:)), since: since, until: fields[3].integer, requester: requester)
    }

    /// The order of a phone at `now`, in UNIX milliseconds; nil for `normal`, which ends one.
    package init?(_ order: CommandAction.Order, at now: Int64) {
        switch order {
        case .holdOpen(let length): self.init(mode: .heldOpen, direction: nil, since: now, until: now + length, requester: nil)
        case .lockDown(let length): self.init(mode: .lockedDown, direction: nil, since: now, until: now + length, requester: nil)
        case .normal: return nil
        }
    }

    /// What becomes of it after a restart.
    package enum Revival: Equatable {
        /// It holds, for so many milliseconds more; nil until somebody asks for another.
        case holds(forMilliseconds: Int64?)
        /// Its time is over.
        case isOver
    }

    /// Whether it still holds. As with a plan, the first time after a boot, which nobody has confirmed, opens nothing.
    package func revival(by clock: WallTime) -> Revival {
        let isKnown = clock.doubt == nil && (clock.isConfirmed || !mode.opens)
        return revival(at: isKnown ? clock.milliseconds : nil)
    }

    /// Whether it still holds. By a clock that nobody vouches for, one that opens the lane is over, and one that shuts it stays until
    /// somebody asks for another or the time is known: nobody is let in by a guess.
    /// - Parameter now: UNIX milliseconds; nil where nobody vouches for them.
    package func revival(at now: Int64?) -> Revival {
        guard let until else { return .holds(forMilliseconds: nil) }
        // Asked for in the future: then it was the clock that was wrong, and the end is as wrong.
        guard let now, now >= since else { return mode.opens ? .isOver : .holds(forMilliseconds: nil) }
        return now < until ? .holds(forMilliseconds: until - now) : .isOver
    }
}
