import Encoding
import Service

/// One event as a line for people.
enum EventText {
    /// `08:00:00.123  result   main: denied, expired: The credential has expired.`
    static func line(_ event: JSON) -> String {
        let kind = event["event"]?.string ?? "?"
        return "\(time(event))  \(padded(kind, to: 13)) \(body(kind, event))"
    }

    private static func body(_ kind: String, _ event: JSON) -> String {
        let lane = event["lane"]?.string ?? ""
        switch kind {
        case "started": return "\(lane): a \(event["assurance"] == nil ? "phone" : "UID-only card") at reader \(event["reader"]?.string ?? "?")"
        case "result": return "\(lane): \(result(event))"
        case "relay": return "\(lane): relay \(event["energised"]?.bool == true ? "energised" : "de-energised")"
        case "indicator": return "\(lane): indicator \(event["indicator"]?.string ?? "?")"
        case "reader": return "\(lane): reader \(event["reader"]?.string ?? "?"): \(event["detail"]?.string ?? "")"
        case "radio": return "radio \(event["radio"]?.string ?? "?"): \(event["detail"]?.string ?? "")"
        case "nearby": return "radio \(event["radio"]?.string ?? "?"): \(nearby(event))"
        case "test":
            let result = event["result"]?.string.map { ": \($0)" } ?? ""
            return "\(lane): walk test \(event["state"]?.string ?? "?")\(result)"
        case "mode": return "\(lane): \(mode(event))"
        case "passage": return "\(lane): \(event["finding"]?.string ?? "?")\(event["direction"]?.string.map { " \($0)" } ?? "")"
        case "input": return "\(lane): \(event["input"]?.string ?? "?") \(event["state"]?.string ?? "?")"
        case "output": return "\(lane): output \(event["output"]?.string ?? "?") \(event["on"]?.bool == true ? "on" : "off")"
        case "alarm": return "\(lane): \(event["on"]?.bool == true ? "ALARM: \(event["cause"]?.string ?? "?")" : "the alarm is over")"
        case "lane": return "\(lane): \(faults(event))"
        case "sync": return "synchronisation \(event["state"]?.string ?? "?")\(event["code"]?.string.map { ": \($0)" } ?? "")"
            + (event["changed"]?.bool == true ? ", site data are new" : "")
        // Kinds of a newer gate are shown as they are.
        default: return event.text
        }
    }

    private static func result(_ event: JSON) -> String {
        let head = "\(event["result"]?.string ?? "?"), \(event["reason"]?.string ?? "?"): \(event["sentence"]?.string ?? "")"
        let retry = event["retryAfter"]?.integer.map { " Again in \($0) ms." } ?? ""
        let total = event["timing"]?["total"]?.integer.map { " (\(milliseconds($0)) ms to the relay, "
            + "of which \(milliseconds(event["timing"]?["relay"]?.integer ?? 0)) ms after the phone's last byte)" } ?? ""
        return head + retry + (event["assurance"]?.string.map { " (assurance \($0))" } ?? "") + total
    }

    /// `2 phones: 17 near at -48 dBm, 18 approaching`
    private static func nearby(_ event: JSON) -> String {
        let phones = (event["phones"]?.array ?? []).map { phone in
            "\(phone["link"]?.integer ?? 0) \(phone["stage"]?.string ?? "?")" + (phone["rssi"]?.integer.map { " at \($0) dBm" } ?? "")
        }
        return phones.isEmpty ? "nobody near" : "\(phones.count == 1 ? "a phone" : "\(phones.count) phones"): \(phones.joined(separator: ", "))"
    }

    private static func mode(_ event: JSON) -> String {
        if let armed = event["armed"]?.bool { return armed ? "armed" : "disarmed" }
        let user = event["user"]?.integer.map { " (user \($0))" } ?? ""
        return "\(event["mode"]?.string ?? "?")\(event["direction"]?.string.map { " \($0)" } ?? ""), by \(event["source"]?.string ?? "?")\(user)"
    }

    private static func faults(_ event: JSON) -> String {
        let faults = (event["faults"]?.array ?? []).compactMap(\.string)
        let warnings = (event["warnings"]?.array ?? []).compactMap(\.string)
        let state = faults.isEmpty ? "in service" : "out of service: \(faults.joined(separator: ", "))"
        return state + (warnings.isEmpty ? "" : "; warning: \(warnings.joined(separator: ", "))")
    }

    /// Microseconds as milliseconds with two digits.
    private static func milliseconds(_ microseconds: Int64) -> String {
        let hundredths = microseconds / 10
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }

    private static func time(_ event: JSON) -> String {
        let text = UTCText.make(milliseconds: event["time"]?.integer ?? 0)
        return String(text.drop { $0 != "T" }.dropFirst().prefix(12))
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
