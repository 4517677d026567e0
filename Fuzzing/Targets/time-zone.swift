import Encoding
import SiteRules

/// No input stops the reader of zone data; and in whatever it accepts, time goes on: changes come in order, each clock time
/// means the first instant that shows it or a later one.
func fuzz(_ input: [UInt8]) {
    if let zone = try? TimeZoneData(tzif: input) { hold(zone, input) }
    // The same bytes as the rule for later years of a file that is otherwise good.
    if let zone = try? TimeZoneData(tzif: file(footer: input)) { hold(zone, input) }
}

private func file(footer: [UInt8]) -> [UInt8] {
    let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
    let empty = header + [UInt8](repeating: 0, count: 24)
    let counts: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4]
    return empty + header + counts + [0, 0, 0, 0, 0, 0] + Array("UTC\0".utf8) + [0x0A] + footer + [0x0A]
}

private func hold(_ zone: TimeZoneData, _ input: [UInt8]) {
    for time in [Int64.min, Int64.max] {
        _ = zone.latestClock(by: time)
        _ = zone.instant(ofClock: time)
    }
    var time: Int64 = input.suffix(5).reduce(0) { $0 << 8 | Int64($1) } % 8_000_000_000
    for _ in 0..<8 {
        guard let change = zone.transition(after: time) else { break }
        precondition(change.at > time, "changes come in order")
        precondition(change.before != change.after, "a change changes something")
        guard change.at < 900_000_000_000 else { break }
        precondition(zone.offset(at: change.at - 1) == change.before && zone.offset(at: change.at) == change.after, "offsets are those of the changes")
        time = change.at
    }
    for clock in [time, time - 1800, time + 5400] {
        let instant = zone.instant(ofClock: clock)
        precondition(zone.latestClock(by: instant) >= clock, "the instant shows the time or a later one")
        precondition(zone.latestClock(by: instant - 1) < clock, "and it is the first that does")
    }
}
