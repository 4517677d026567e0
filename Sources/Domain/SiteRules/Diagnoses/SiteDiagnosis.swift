/// Something in a site's rules that cannot be meant.
public struct SiteDiagnosis: Hashable, Sendable {
    /// What is wrong.
    public enum Code: String, CaseIterable, Sendable {
        /// There are schedules and no time zone.
        case timeZoneMissing = "time-zone-missing"
        /// A plan or a rule names a schedule that is not there.
        case scheduleUnknown = "schedule-unknown"
        /// A schedule names a kind of holiday that has no days.
        case holidayUnknown = "holiday-unknown"
        /// A schedule is never in force.
        case scheduleNeverOpens = "schedule-never-opens"
        /// Two parts of a schedule say opposite things about the same time, and none has priority.
        case scheduleContradicts = "schedule-contradicts"
        /// Two entries of a plan give a lane different modes at the same time, and none has priority.
        case planContradicts = "plan-contradicts"

        /// The stable code.
        public var code: String { rawValue }
    }

    /// What is wrong.
    public let code: Code
    /// A sentence for people, with what to do.
    public let message: String
    /// The part, and the other one where two disagree.
    public let entries: [SiteEntry]
}
