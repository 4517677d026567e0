import Encoding

/// `status` for people: what is in order in one glance, what is not with its remedy.
enum StatusText {
    /// The lines to print.
    static func lines(_ status: JSON) -> [String] {
        var lines = ["gate \(text(status, "gate")) of site \(text(status, "site")), version \(text(status, "version"))"]
        if status["simulatedLines"]?.bool == true { lines.append("LINES ARE SIMULATED: no relay of this machine moves") }
        lines += (status["lanes"]?.array ?? []).flatMap(LaneText.lines)
        lines += (status["readers"]?.array ?? []).flatMap(reader)
        lines += (status["attached"]?.array ?? []).map(device)
        lines += (status["radios"]?.array ?? []).map(radio)
        lines += (status["bluetooth"]?.array ?? []).map { "        \(text($0, "code")): \(text($0, "message"))" }
        lines += gateKeys(status["gateKeys"] ?? .null)
        lines += (status["keys"]?.array ?? []).map(key)
        lines += trust(status["trust"] ?? .null)
        lines += sync(status["sync"] ?? .null)
        lines += siteRules(status["siteRules"] ?? .null)
        lines += journal(status["journal"] ?? .null)
        lines += clock(status["clock"] ?? .null)
        return lines + (status["delays"]?.array ?? []).map { "delay   \(text($0, "code")): \(text($0, "message"))" }
    }

    private static func radio(_ radio: JSON) -> String {
        let lanes = (radio["lanes"]?.array ?? []).compactMap(\.string)
        return "radio   \(text(radio, "name")) (\(lanes.count == 1 ? "lane" : "lanes") \(lanes.joined(separator: ", "))): "
            + "\(text(radio, "state")): \(text(radio, "message"))"
    }

    private static func device(_ device: JSON) -> String {
        let serial = device["serial"]?.string.map { ", serial \($0)" } ?? ""
        let port = device["port"]?.string.map { ", port \($0)" } ?? ""
        return "        plugged in: \(text(device, "name"))\(serial)\(port)"
    }

    /// Which keys the gate proves itself with, and which ones when.
    private static func gateKeys(_ keys: JSON) -> [String] {
        let uses = ["signing", "agreement"].compactMap { use in keys[use].map { (use, $0) } }
        let inForce = uses.compactMap { use, slot in
            slot["inForce"].map { "keys    \(use): \(text($0, "thumbprint").prefix(16)), shown by \(text($0, "shown")), \(text($0, "path"))" }
        }
        let next = uses.compactMap { use, slot in
            slot["next"].map { "        from \(keys["switchAt"]?.string ?? "a date that is not set") \(use): \(text($0, "thumbprint").prefix(16)), "
                + text($0, "path") }
        }
        return inForce + next + (keys["warnings"]?.array ?? []).map { "        \(text($0, "code")): \(text($0, "message"))" }
    }

    private static func key(_ key: JSON) -> String {
        "key     \(text(key, "key")): \(text(key, "code")): \(text(key, "message"))"
    }

    private static func trust(_ trust: JSON) -> [String] {
        var lines: [String]
        if text(trust, "state") == "ready" {
            lines = ["trust   \(text(trust, "origin")) \(number(trust, "version")) of \(text(trust, "issued")): \(number(trust, "enrolled")) enrolled keys, "
                + "\(number(trust, "issuers")) issuers, \(number(trust, "revocations")) revocations"]
            if number(trust, "rules") + number(trust, "memberships") > 0 {
                lines.append("        \(number(trust, "rules")) rules, schedules, plans and zones, \(number(trust, "memberships")) memberships")
            }
            if number(trust, "uidOnlyCards") > 0 { lines.append("        \(number(trust, "uidOnlyCards")) UID-only cards (assurance low)") }
            if let end = trust["tokensUntil"]?.string, trust["warning"]?["code"]?.string != "trust-data-stale" { lines.append("        tokens pass until \(end), unless something newer is verified before") }
            if let applied = trust["applied"]?.string { lines.append("        applied \(applied)") }
        } else {
            lines = ["trust   NONE: \(text(trust, "code")): \(text(trust, "message"))"]
        }
        if let kept = trust["zones"]?["kept"]?.array {
            lines.append("        people of the zones \(kept.compactMap(\.string).joined(separator: " ")) and of the whole site; nobody else is kept")
        }
        if let zones = trust["zones"], zones["code"] != nil { lines.append("        \(text(zones, "code")): \(text(zones, "message"))") }
        if let fork = trust["fork"] { lines.append("        \(text(fork, "code")): \(text(fork, "message"))") }
        if let warning = trust["warning"] { lines.append("        \(text(warning, "code")): \(text(warning, "message"))") }
        if let problem = trust["siteFile"] { lines.append("        \(text(problem, "code")): \(text(problem, "message"))") }
        if let failure = trust["failure"] { lines.append("        \(text(failure, "code")): \(text(failure, "message"))") }
        if let aside = trust["setAside"]?.string { lines.append("        site data that cannot be used were set aside as \(aside)") }
        return lines
    }

    private static func journal(_ journal: JSON) -> [String] {
        var lines = ["journal \(number(journal, "records")) records, head \(number(journal, "sequence")) \(text(journal, "head").prefix(16))"]
        if let failure = journal["failure"] {
            lines.append("        FAILING: \(text(failure, "code")): \(text(failure, "message")) (\(number(journal, "waiting")) records wait)")
        }
        if let aside = journal["setAside"] {
            lines.append("        \(text(aside, "code")): \(text(aside, "message")) The chain goes on in a new file.")
        }
        if let collection = journal["collection"] {
            let overwritten = number(collection, "overwritten")
            lines.append("        collected up to record \(number(collection, "through")), \(number(collection, "uncollected")) are not"
                + (overwritten > 0 ? "; \(overwritten) WENT BEFORE ANYBODY HAD THEM" : ""))
        }
        for warning in [journal["collection"]?["warning"], journal["auditKey"]?["warning"]].compactMap({ $0 }) {
            lines.append("        \(text(warning, "code")): \(text(warning, "message"))")
        }
        if number(journal, "lost") > 0 { lines.append("        \(number(journal, "lost")) records were lost") }
        return lines
    }

    private static func clock(_ clock: JSON) -> [String] {
        let age = clock["age"]?.integer.map { " for \($0 / 3600) hours" } ?? ""
        let limit = clock["confirmed"]?.bool == false && clock["trust"]?.string != "untrusted" ? ", not confirmed since the start of the machine" : ""
        let line = "clock   \(text(clock, "time")), \(text(clock, "trust"))\(age)\(limit)"
        return [line] + (clock["code"] == nil ? [] : ["        \(text(clock, "code")): \(text(clock, "message"))"])
    }

    static func text(_ json: JSON, _ key: String) -> String { json[key]?.string ?? "?" }

    static func number(_ json: JSON, _ key: String) -> Int64 { json[key]?.integer ?? 0 }
}

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

extension StatusText {
    /// `sync    from https://gates.example.org: last run 2026-…, in order; next 2026-…`; nothing where the gate does not synchronise.
    static func sync(_ sync: JSON) -> [String] {
        guard let state = sync["state"]?.string, state != "off" else { return [] }
        var lines = ["sync    from \(sync["from"]?.string ?? "folders alone (tapstile import FOLDER)"): \(stage(sync))"]
        if let roles = sync["roles"]?.object, !roles.isEmpty {
            let ends = roles.map { "\($0.key) \($0.value.string?.prefix(10) ?? "?")" }
            lines.append("        takes what is new until \(text(sync, "expires")) (\(ends.joined(separator: ", ")))")
        }
        if let warning = sync["warning"] { lines.append("        \(text(warning, "code")): \(text(warning, "message"))") }
        if let failure = sync["failure"] {
            lines.append("        FAILING: \(text(failure, "code")): \(text(failure, "message")) (\(number(failure, "count")) times since \(text(failure, "since")))")
        }
        return lines
    }

    private static func stage(_ sync: JSON) -> String {
        switch text(sync, "state") {
        case "fetching":
            let what = sync["import"] == nil ? "looking for something new" : "looking through the folder that somebody brought"
            guard let length = sync["length"]?.integer, length > 0 else { return what }
            return "fetching \(text(sync, "file")), \(number(sync, "received") * 100 / length) % of \(length) bytes"
        case "applying": return "taking over what is new"
        default:
            let last = sync["lastSuccess"]?.string.map { "in order \($0)" } ?? "no run has gone well yet that this gate remembers"
            let change = sync["lastChange"]?.string.map { ", something new \($0)" } ?? ""
            return last + change + (sync["next"]?.string.map { ", next \($0)" } ?? "")
        }
    }
}
