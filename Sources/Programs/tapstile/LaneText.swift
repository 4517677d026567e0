import Encoding

/// One lane for people: what it is, whose request that is, and what is wrong.
enum LaneText {
    /// The lines to print.
    static func lines(_ lane: JSON) -> [String] {
        let faults = lane["faults"]?.array ?? []
        let relay = lane["energised"]?.string.map { "energised (\($0))" } ?? (lane["relay"]?.bool == true ? "energised" : "de-energised")
        let service = faults.isEmpty ? "in service" : "OUT OF SERVICE"
        let state = lane["state"]?.string.map { "\($0), " } ?? ""
        let first = "lane    \(text(lane, "name")): \(service), \(state)indicator \(text(lane, "indicator")), relay \(relay)"
        var lines: [String] = [first]
        lines += StatusText.plan(lane["plan"] ?? .null)
        lines += mode(lane["mode"])
        if lane["armed"]?.bool == false { lines.append("        disarmed: no alarms are raised") }
        if lane["uidOnlyCards"]?.bool == true { lines.append("        UID-only cards open it: assurance low, anybody can copy one") }
        lines += commands(lane["commands"]?.array ?? [])
        lines += outputs(lane["outputs"]?.array ?? [])
        lines += inputs(lane["inputs"]?.array ?? [])
        for wrong in faults + (lane["warnings"]?.array ?? []) {
            lines.append("        \(text(wrong, "code")): \(text(wrong, "message"))")
        }
        return lines
    }

    /// Nothing is said of a lane that is as it is installed.
    private static func mode(_ mode: JSON?) -> [String] {
        guard let mode, let source = mode["source"]?.string, source != "standard" else { return [] }
        var words = ["        \(text(mode, "mode"))"]
        if let direction = mode["direction"]?.string { words.append(direction) }
        words.append("by \(source)")
        if let user = mode["user"]?.integer { words.append("(user \(user), process \(mode["process"]?.integer ?? 0))") }
        if let since = mode["since"]?.string { words.append("since \(since)") }
        if let until = mode["until"]?.string { words.append("until \(until)") }
        return [words.joined(separator: " ")]
    }

    /// Nothing is said of a lane that lets people through and no more.
    private static func commands(_ commands: [JSON]) -> [String] {
        if commands.count == 1, commands[0]["name"] == "tokn", commands[0]["action"] == "pass", commands[0]["schedule"] == nil { return [] }
        return commands.map { command in
            var words = ["        command \(text(command, "name")): \(text(command, "action"))"]
            if let output = command["output"]?.string { words.append("output \(output)") }
            if let minutes = command["minutes"]?.integer { words.append("for \(minutes) min") }
            if command["secondFactor"]?.bool == true { words.append("with a second factor") }
            if let schedule = command["schedule"]?.string { words.append("during \(schedule) (\(command["inForce"]?.bool == true ? "now" : "not now"))") }
            return words.joined(separator: ", ")
        }
    }

    private static func outputs(_ outputs: [JSON]) -> [String] {
        outputs.map { output in
            "        output \(text(output, "name")): \(output["on"]?.bool == true ? "on" : "off")"
                + (output["until"]?.string.map { ", by a phone until \($0)" } ?? "")
                + (output["code"] == nil ? "" : ", \(text(output, "code")): \(text(output, "message"))")
        }
    }

    private static func inputs(_ inputs: [JSON]) -> [String] {
        inputs.isEmpty ? [] : ["        inputs: " + inputs.map { "\(text($0, "input")) \(text($0, "state"))" }.joined(separator: ", ")]
    }

    private static func text(_ json: JSON, _ key: String) -> String { json[key]?.string ?? "?" }
}
