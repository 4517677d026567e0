import Credentials
import Gate
import SiteRules

/// The times at which a judgement may turn out otherwise. Whether it does is for the judgement to say.
struct TurningPoints {
    /// So many are tried at the most: a year of schedules that open and close twice a day.
    private static let most = 1500
    /// Beyond it nobody plans.
    private static let horizon: Int64 = 366 * 86_400

    /// A time, and what is decided from then on.
    struct Turn {
        let time: Int64
        let decision: Decision
    }

    private let timetable: SiteTimetable
    private let start: Int64
    private var fixed: [Int64]
    private var coming: [String: Int64] = [:]

    /// - Parameters:
    ///   - fixed: times that are known, UNIX seconds.
    ///   - schedules: what else depends on.
    ///   - start: only what comes later is wanted.
    init(fixed: [Int64], schedules: Set<String>, after start: Int64, timetable: SiteTimetable) {
        self.timetable = timetable
        self.start = start
        self.fixed = fixed.filter { $0 > start }.sorted(by: >)
        for name in schedules { coming[name] = timetable.nextChange(ofSchedule: name, after: start) }
    }

    /// The first of them at which somebody is granted, or is not.
    func first(isGranted: Bool, _ decide: (Int64) -> Decision) -> Turn? {
        var points = self
        for _ in 0..<Self.most {
            guard let time = points.next(), time - start <= Self.horizon else { return nil }
            let decision = decide(time)
            if decision.isGranted == isGranted { return Turn(time: time, decision: decision) }
        }
        return nil
    }

    private mutating func next() -> Int64? {
        guard let time = ([fixed.last].compactMap(\.self) + coming.values).min() else { return nil }
        while fixed.last == time { fixed.removeLast() }
        for (name, change) in coming where change == time { coming[name] = timetable.nextChange(ofSchedule: name, after: time) }
        return time
    }
}
