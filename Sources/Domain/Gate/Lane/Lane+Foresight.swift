extension Lane {
    /// The lane as it will be then if nobody does anything until then: what ends by itself is over, and nobody is being served. It is a copy, so that
    /// nothing comes of it.
    /// - Parameter plan: what the plan wants of it at that time; nil for nothing.
    public func foreseen(at time: Instant, plan: ModeRequest?) -> Lane {
        var lane = self
        lane.reserved = nil
        lane.test = nil
        _ = lane.setMode(bySchedule: plan, at: time)
        _ = lane.advance(to: time)
        return lane
    }
}
