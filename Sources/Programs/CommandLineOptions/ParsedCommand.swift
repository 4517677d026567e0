/// A command with what was given to it. Asking for an option that the syntax of the command does not
/// have is answered as if it had not been given.
public struct ParsedCommand: Sendable {
    /// The name of the command.
    public let name: String
    /// Arguments without a name, as many as the syntax allows.
    public let operands: [String]
    private let given: [String: [String]]

    init(name: String, operands: [String], given: [String: [String]]) {
        self.name = name
        self.operands = operands
        self.given = given
    }

    /// Whether an option was given.
    public func has(_ option: String) -> Bool { given[option] != nil }

    /// The value of an option; nil when it was not given.
    public func value(_ option: String) -> String? { given[option]?.last }

    /// All values of a repeatable option, in their order.
    public func values(_ option: String) -> [String] { given[option] ?? [] }

    /// The operand at this place; nil when it was left out.
    public func operand(_ index: Int) -> String? { operands.indices.contains(index) ? operands[index] : nil }

    /// The value of an option that the command needs.
    public func required(_ option: String) throws(CommandLineError) -> String {
        guard let value = value(option) else { throw .optionMissing(option) }
        return value
    }

    /// The whole number of an option; nil when it was not given.
    public func integer(_ option: String, in range: ClosedRange<Int>) throws(CommandLineError) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .badValue(option: option, value: text,
                            wanted: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The one of these options that was given.
    /// - Throws: when none was, or two were.
    public func exactlyOne(of options: [String]) throws(CommandLineError) -> String {
        let present = options.filter(has)
        guard let first = present.first else { throw .oneOptionNeeded(options) }
        guard present.count == 1 else { throw .optionsExclude(first, present[1]) }
        return first
    }

    /// Refuses these options beside another one that was given.
    public func refuse(_ options: [String], beside given: String) throws(CommandLineError) {
        if let other = options.first(where: has) { throw .optionsExclude(given, other) }
    }

    /// Refuses these options where the one that gives them a meaning is missing.
    public func refuse(_ options: [String], besideNot needed: String) throws(CommandLineError) {
        guard !has(needed), options.contains(where: has) else { return }
        throw .optionMissing(needed)
    }
}

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
