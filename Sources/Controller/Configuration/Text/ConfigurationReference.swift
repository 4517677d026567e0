/// The reference of all settings as Markdown: the second half of docs/configuration.md.
public enum ConfigurationReference {
    /// Where the generated part begins in docs/configuration.md.
    public static let marker = "<!-- From here on made from the schema: ConfigurationReference. -->"

    /// One section a table, one row a key.
    public static var markdown: String { markdown(of: Schema.root, after: marker) }

    /// The same of another schema.
    package static func markdown(of root: SettingTable, after marker: String) -> String {
        marker + "\n" + Schema.below(root, path: "").map(section).joined()
    }

    private static func section(_ path: String, _ table: SettingTable) -> String {
        var text = "\n### `\(Schema.heading(path, table))`\n\n\(table.explanation)\(note(table))\n"
        guard !table.settings.isEmpty else { return text }
        text += "\n| key | value | default | |\n|---|---|---|---|\n"
        for setting in table.settings {
            text += "| `\(setting.name)` | \(setting.kind.description) | \(standard(setting.presence)) | \(setting.explanation)\(note(setting.change)) |\n"
        }
        return text
    }

    private static func note(_ table: SettingTable) -> String {
        let form = if case .optional = table.form { " May be left out." } else { "" }
        return switch table.change {
        case .asSettingsSay: form
        case .restartForList: "\(form) To add, remove or rename one needs a restart."
        case .restart: "\(form) A change needs a restart."
        }
    }

    private static func note(_ change: SettingChange) -> String {
        switch change {
        case .live: ""
        case .restart: " (*restart*)"
        case .restartToComeOrGo: " (*restart* to add or remove it)"
        case .restartIfType(let type): " (*restart* of a reader of type `\(type)`)"
        }
    }

    private static func standard(_ presence: SettingPresence) -> String {
        switch presence {
        case .required: "**needed**"
        case .optional: "–"
        case .standard(let value): "`\(TOMLText.value(value))`"
        case .named(let before, let after): "`\(TOMLText.value(.text("\(before)NAME\(after)")))`"
        case .inherited(let path): "that of `\(path)`"
        case .byWord(let key, let values): values.sorted { $0.key < $1.key }.map { "`\($0.value)` where `\(key)` is `\($0.key)`" }.joined(separator: ", ")
        }
    }
}

/// Values as TOML writes them.
enum TOMLText {
    static func value(_ value: SettingValue) -> String {
        switch value {
        case .integer(let number): String(number)
        case .integers(let numbers): "[" + numbers.map(String.init).joined(separator: ", ") + "]"
        case .flag(let flag): flag ? "true" : "false"
        case .texts(let texts): "[" + texts.map(quoted).joined(separator: ", ") + "]"
        case .text(let text): quoted(text)
        }
    }

    /// A basic string (TOML 1.0, "String").
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            default: quoted.unicodeScalars.append(scalar) // control characters are no part of any setting
            }
        }
        return quoted + "\""
    }
}
