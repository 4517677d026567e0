/// A request for a lane that one tap holds while its record is on the way to the disk. Opening or giving it back
/// consumes it, so that no tap can open on what another one holds.
///
/// A failure of the relay voids it (`Lane.abandon`): a grant that met the failure comes to nothing, however late it comes.
public struct LaneReservation: ~Copyable, Sendable {
    /// What stood in the way. Only `clear` holds the lane.
    public let condition: LaneCondition
    /// Which way.
    let direction: Direction
    /// Tells one reservation of a lane from any other; 0 holds nothing.
    let number: UInt64

    /// One that holds nothing: something is in the way, or nobody wants the lane.
    public init(nothing condition: LaneCondition) {
        self.condition = condition
        direction = .inward
        number = 0
    }

    init(_ direction: Direction, number: UInt64) {
        condition = .clear
        self.direction = direction
        self.number = number
    }
}
