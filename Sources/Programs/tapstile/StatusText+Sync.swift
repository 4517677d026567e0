import Encoding

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
