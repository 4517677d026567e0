extension ParsedCommand {
    /// The duration of an option in seconds, as in `45s`, `90m`, `12h`, `30d`, `2w`; nil when it was not given.
    public func seconds(_ option: String) throws(CommandLineError) -> Int64? {
        guard let text = value(option) else { return nil }
        guard let unit = text.last.flatMap({ Self.units[$0] }), let count = Int64(text.dropLast()), count > 0,
              count <= Self.longestSeconds / unit, !text.hasPrefix("+") else {
            throw .badValue(option: option, value: text, wanted: "a duration such as 90m, 12h, 30d or 2w")
        }
        return count * unit
    }

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604_800]
    /// A thousand years.
    private static let longestSeconds: Int64 = 365_000 * 86400
}
