/// One reading of the wall clock.
public struct WallTime: Hashable, Sendable {
    /// Milliseconds since 1970 (UTC), never below the clock's floor.
    public let milliseconds: Int64
    public let trust: TimeTrust

    public init(milliseconds: Int64, trust: TimeTrust) {
        self.milliseconds = milliseconds
        self.trust = trust
    }

    /// UNIX seconds, rounded down.
    public var seconds: Int64 { milliseconds.quotientFloor(1000) }
}

extension Int64 {
    /// Division that rounds towards the past, also before 1970.
    func quotientFloor(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
