import Vocabulary

/// One reading of the wall clock.
public struct WallTime: Hashable, Sendable {
    /// Milliseconds since 1970 (UTC), never below the clock's floor.
    public let milliseconds: Int64
    public let trust: ClockTrust
    /// Why nobody vouches for it; nil where somebody does.
    public let doubt: ClockDoubt?
    /// Whose word it goes by; nil where nothing was believed in this boot.
    public let basis: ClockBasis?
    /// Whether it may open lanes by itself: somebody has confirmed it since the boot, or the installer asks for no more.
    public let isConfirmed: Bool
    /// Where the machine's clock stands instead, while it is not believed.
    public let jump: ClockJump?
    /// What the machine's clock says itself, where that is another time by a second or more. Nobody vouches for it.
    public internal(set) var machine: Int64?

    public init(milliseconds: Int64, trust: ClockTrust, basis: ClockBasis? = nil, isConfirmed: Bool = true, jump: ClockJump? = nil) {
        self.init(milliseconds: milliseconds, trust: .success(trust), basis: basis, isConfirmed: isConfirmed, jump: jump)
    }

    /// A reading that nobody vouches for.
    public init(milliseconds: Int64, doubt: ClockDoubt) {
        self.init(milliseconds: milliseconds, trust: .failure(doubt), basis: nil, isConfirmed: true, jump: nil)
    }

    init(milliseconds: Int64, trust: Result<ClockTrust, ClockDoubt>, basis: ClockBasis?, isConfirmed: Bool, jump: ClockJump?) {
        self.milliseconds = milliseconds
        switch trust {
        case .success(let trust): (self.trust, doubt) = (trust, nil)
        case .failure(let doubt): (self.trust, self.doubt) = (.untrusted, doubt)
        }
        self.basis = basis
        self.isConfirmed = isConfirmed
        self.jump = jump
    }

    /// UNIX seconds, rounded down.
    public var seconds: Int64 { milliseconds.quotientFloor(1000) }

    /// What verification and schedules work with.
    public var reading: ClockReading { ClockReading(seconds: seconds, trust: trust, isConfirmed: isConfirmed) }

    /// What is worth a word in the log when it changes: the level and its cause, not the age.
    var tidings: ClockTidings {
        ClockTidings(level: doubt?.code ?? trust.word, isConfirmed: isConfirmed, hasJumped: jump != nil)
    }
}

extension Int64 {
    /// Division that rounds towards the past, also before 1970.
    func quotientFloor(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

/// What is told of a reading when it differs from what was told before.
struct ClockTidings: Hashable, Sendable {
    let level: String
    let isConfirmed: Bool
    let hasJumped: Bool
}
