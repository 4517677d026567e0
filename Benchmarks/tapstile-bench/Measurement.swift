/// One measured number.
struct Measurement: Sendable {
    /// What was measured; docs/benchmarks.md says how.
    let name: String
    /// The number.
    let value: Double
    /// Its unit.
    let unit: String
    /// What it must not exceed; nil where it is only printed beside.
    var bar: Double?

    /// Whether it keeps to its bar.
    var isMet: Bool { bar.map { value <= $0 } ?? true }

    /// One JSON object, name first for people's eyes. Names and units need no escapes.
    var line: String {
        let limit = bar.map(Self.text) ?? "null"
        return #"{"name":"\#(name)","value":\#(Self.text(value)),"unit":"\#(unit)","bar":\#(limit),"ok":\#(isMet)}"#
    }

    /// At most three decimals.
    private static func text(_ number: Double) -> String {
        let rounded = (number * 1000).rounded() / 1000
        return rounded == rounded.rounded() && rounded.magnitude < 1e15 ? "\(Int64(rounded))" : "\(rounded)"
    }
}
