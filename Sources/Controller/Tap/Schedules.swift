import Credentials

/// The schedules of the site data, by their names.
struct Schedules: Sendable {
    /// Whether a schedule is in force at that reading of the clock; nil where the site data do not have it.
    let isInForce: @Sendable (String, ClockReading) -> Bool?

    /// Publications of format 1 carry none.
    static let none = Schedules { _, _ in nil }
}
