import Encoding

extension StatusText {
    /// What a lane is by its plan now, and until when.
    static func plan(_ plan: JSON) -> [String] {
        guard plan["mode"] != nil else { return [] }
        let schedule = plan["schedule"]?.string.map { " by the schedule \($0)" } ?? ""
        let until = plan["until"]?.string.map { ", until \($0)" } ?? ""
        return ["        plan: \(text(plan, "mode"))\(schedule)\(until)"]
    }

    /// The clock that schedules go by; nothing where the site has none.
    static func siteRules(_ rules: JSON) -> [String] {
        guard let zone = rules["timeZone"]?.string else { return [] }
        let offset = rules["offset"]?.integer.map { " (UTC\(hours($0)))" } ?? ""
        let next = rules["nextChange"]?.string.map { ", the next change of a lane is at \($0)" } ?? ""
        let line = "rules   \(number(rules, "schedules")) schedules by the clock of \(zone)\(offset)\(next)"
        return [line] + (rules["problem"].map { ["        \(text($0, "code")): \(text($0, "message"))"] } ?? [])
    }

    /// `+05:45`
    private static func hours(_ seconds: Int64) -> String {
        let minutes = abs(seconds) / 60
        let padded = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(seconds < 0 ? "-" : "+")\(padded(minutes / 60)):\(padded(minutes % 60))"
    }
}
