import Spelling

/// Why a command line cannot be understood. The exit status is `ExitStatus.usage`.
public enum CommandLineError: Error, Hashable, Sendable {
    /// The program has commands and none was named.
    case noCommand(known: [String])
    /// There is no command of that name.
    case unknownCommand(String, known: [String])
    /// The command has no option of that name.
    case unknownOption(String, known: [String])
    /// The option needs a value and has none.
    case valueMissing(option: String)
    /// The option takes no value and has one.
    case valueNotWanted(option: String)
    /// The option was given twice.
    case optionTwice(String)
    /// The command needs this option.
    case optionMissing(String)
    /// These options cannot be given together.
    case optionsExclude(String, String)
    /// One of these options is needed.
    case oneOptionNeeded([String])
    /// The value of an option is not what it should be; the text says what that is.
    case badValue(option: String, value: String, wanted: String)
    /// The command needs this operand.
    case operandMissing(String)
    /// The command takes no such operand.
    case operandNotWanted(String)
    /// The operand has another name now.
    case operandRenamed(String, now: String)

    /// Stable code.
    public var code: String {
        switch self {
        case .noCommand: "no-command"
        case .unknownCommand: "unknown-command"
        case .unknownOption: "unknown-option"
        case .valueMissing: "option-value-missing"
        case .valueNotWanted: "option-value-not-wanted"
        case .optionTwice: "option-twice"
        case .optionMissing: "option-missing"
        case .optionsExclude: "options-exclude-each-other"
        case .oneOptionNeeded: "one-option-needed"
        case .badValue: "option-bad-value"
        case .operandMissing: "operand-missing"
        case .operandNotWanted, .operandRenamed: "operand-not-wanted"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .noCommand(let known): "Name a command: \(known.joined(separator: ", "))."
        case .unknownCommand(let name, let known): "There is no command '\(name)'\(Self.hint(name, known))."
        case .unknownOption(let name, let known): "There is no option '--\(name)'\(Self.hint(name, known, dashes: "--"))."
        case .valueMissing(let option): "The option '--\(option)' needs a value."
        case .valueNotWanted(let option): "The option '--\(option)' takes no value."
        case .optionTwice(let option): "The option '--\(option)' is given twice."
        case .optionMissing(let option): "The option '--\(option)' is needed."
        case .optionsExclude(let one, let other): "The options '--\(one)' and '--\(other)' exclude each other."
        case .oneOptionNeeded(let options): "One of these options is needed: \(Self.list(options))."
        case .badValue(let option, let value, let wanted): "The value '\(value)' of '--\(option)' is not \(wanted)."
        case .operandMissing(let name): "\(name) is missing."
        case .operandNotWanted(let text): "The argument '\(text)' is not wanted here."
        case .operandRenamed(let text, let now): "The argument '\(text)' is not wanted here: it is called '\(now)' now."
        }
    }

    private static func hint(_ written: String, _ known: [String], dashes: String = "") -> String {
        if let name = RenamedOption.names[written], known.contains(name) { return ": it is called '\(dashes)\(name)' now" }
        return NearestName.find(written, among: known).map { " (did you mean '\(dashes)\($0)'?)" } ?? ""
    }

    private static func list(_ options: [String]) -> String {
        options.map { "--\($0)" }.joined(separator: ", ")
    }
}

/// Options that had another name in 0.1: whoever types the old one reads the new one.
enum RenamedOption {
    /// The name of today by the one of then.
    static let names = [
        "above": "min-version", "authorities": "ca-file", "away": "gap-ms",
        "patience": "stall-timeout", "wish": "lane-request"
    ]
}
