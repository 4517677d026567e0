import Encoding

/// One key of the configuration: all that readers, checks, suggestions and documents know about it.
public struct Setting: Hashable, Sendable {
    /// The key within its table.
    public let name: String
    public let kind: SettingKind
    public let presence: SettingPresence
    /// One line for the installer.
    public let explanation: String
    /// What it needs beside it; without that its default is not in force. Nil: nothing.
    public let condition: SettingCondition?
    /// When a change of it is in force.
    public let change: SettingChange

    package init(_ name: String, _ kind: SettingKind, _ presence: SettingPresence, _ explanation: String, only condition: SettingCondition? = nil,
                 change: SettingChange = .live) {
        self.name = name
        self.kind = kind
        self.presence = presence
        self.explanation = explanation
        self.condition = condition
        self.change = change
    }
}

/// When a change of a setting is in force.
public enum SettingChange: Hashable, Sendable {
    /// With the next reload.
    case live
    /// With the next start.
    case restart
    /// With the next start where it comes or goes, else with the next reload.
    case restartToComeOrGo
    /// With the next start where `type`, of this table or one around it, is this word.
    case restartIfType(String)
}

/// What a setting needs beside it to mean anything.
public enum SettingCondition: Hashable, Sendable {
    /// Another key of its table.
    case beside(String)
    /// One of these words for another key of its table.
    case words([String], of: String)

    /// Whether it is there.
    func holds(in table: TableReading) -> Bool {
        switch self {
        case .beside(let key): table.values[key] != nil
        case .words(let words, let key): table.text(key).map { words.contains($0) } ?? false
        }
    }
}

/// What a setting may hold.
public enum SettingKind: Hashable, Sendable {
    /// A whole number in a range. Durations say their unit at the end of the key: `-ms`, `-hours`, `-days`.
    case integer(ClosedRange<Int64>)
    /// 1 to `maximum` letters, digits, `.`, `_`, `-`: it travels in tokens and to phones.
    case identifier(maximum: Int)
    /// 1 to `maximum` characters of any kind that is seen.
    case text(maximum: Int)
    /// A text that names somebody or something: without loose blanks, too (`NameRule`).
    case name(maximum: Int)
    /// An absolute path of at most `maximum` bytes.
    case path(maximum: Int)
    /// A moment, as TOML's offset date-time or as the same in a text; kept as a text in UTC.
    case time
    /// The address of a Bluetooth adapter, six bytes in hex joined by `:`; kept in capitals.
    case bluetoothAddress
    /// An address of the web, `https://` or `http://`, of at most `maximum` characters of ASCII, without a user, a query or a fragment.
    case webAddress(maximum: Int)
    /// A UUID of 128 bits (RFC 9562, 4); kept in small letters.
    case uuid
    /// One of these words.
    case choice([String])
    /// One of these numbers.
    case number([Int64])
    /// Bytes as hexadecimal digits, so many of them; kept in small letters.
    case hex(bytes: [Int])
    /// A list of different numbers out of these, at least one.
    case integers([Int64])
    /// `true` or `false`.
    case flag
    /// A list of texts, at least one, each of 1 to `maximum` characters of any kind that is seen.
    case texts(maximum: Int)
    /// A list of names, at least one, each of 1 to `maximum` characters.
    case names(maximum: Int)
    /// A line of a GPIO chip: its number (0–1023) or its name.
    case line
}

extension SettingKind: CustomStringConvertible {
    /// What a value looks like, as a noun phrase for people.
    public var description: String {
        switch self {
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .identifier(let maximum): "a text of up to \(maximum) letters, digits, `.`, `_`, `-`"
        case .text(let maximum), .name(let maximum): "a text of up to \(maximum) characters"
        case .path: "an absolute path"
        case .time: "a time in UTC such as `\"2030-01-31T03:00:00Z\"`"
        case .bluetoothAddress: "a Bluetooth address such as `\"00:1A:7D:DA:71:13\"`"
        case .webAddress: "an address such as `\"https://gates.example.org/site\"`"
        case .uuid: "a UUID such as `\"00005301-0010-002a-426c-756549442a00\"`"
        case .choice(let words): "one of " + words.map { "`\"\($0)\"`" }.joined(separator: ", ")
        case .number(let known): "one of " + known.map(String.init).joined(separator: ", ")
        case .hex(let bytes): "a text of " + bytes.map { String($0 * 2) }.joined(separator: " or ") + " hexadecimal digits"
        case .integers(let known): "a list of numbers out of " + known.map(String.init).joined(separator: ", ")
        case .flag: "`true` or `false`"
        case .texts(let maximum), .names(let maximum): "a list of texts of up to \(maximum) characters each"
        case .line: "a line's number (0 to 1023) or its name"
        }
    }
}

/// What happens when a setting is not in the file.
public enum SettingPresence: Hashable, Sendable {
    /// An error.
    case required
    /// Nothing is set.
    case optional
    /// This value holds.
    case standard(SettingValue)
    /// A text around the name of the table that this one is in: `before` and `after` it.
    case named(before: String, after: String)
    /// The value of another setting holds, named by its full path.
    case inherited(String)
    /// What holds depends on the word of another key of the table.
    case byWord(of: String, [String: String])
}

/// One table of the configuration, with its keys and the tables in it.
public struct SettingTable: Hashable, Sendable {
    /// How often the table may stand in its parent.
    public enum Form: Hashable, Sendable {
        /// `[name]`; left out it counts as empty.
        case single
        /// `[name]`; left out there is none.
        case optional
        /// `[[name]]`, at least so often.
        case list(minimum: Int)
    }

    /// The last part of its name.
    public let name: String
    public let form: Form
    /// What it is about, for the installer.
    public let explanation: String
    public let settings: [Setting]
    public let tables: [SettingTable]
    /// What of it needs a restart to be changed, whatever its settings say of themselves.
    public let change: TableChange

    package init(_ name: String, _ form: Form = .single, _ explanation: String, settings: [Setting] = [], tables: [SettingTable] = [],
                 change: TableChange = .asSettingsSay) {
        self.change = change
        self.name = name
        self.form = form
        self.explanation = explanation
        self.settings = settings
        self.tables = tables
    }

    /// Every key that may stand in this table.
    var names: [String] { settings.map(\.name) + tables.map(\.name) }
}

/// What of a table needs a restart to be changed.
public enum TableChange: Hashable, Sendable {
    case asSettingsSay
    /// Which of a list there are, by their names, and in which order.
    case restartForList
    /// Everything.
    case restart
}

/// A value of one setting.
public enum SettingValue: Hashable, Sendable {
    case integer(Int64)
    case text(String)
    case integers([Int64])
    case flag(Bool)
    case texts([String])
}

extension SettingValue {
    /// Texts in the composed form (NFC), all else as it is.
    var composed: SettingValue {
        switch self {
        case .text(let text): .text(text.composed)
        case .texts(let texts): .texts(texts.map(\.composed))
        case .integer, .integers, .flag: self
        }
    }
}
