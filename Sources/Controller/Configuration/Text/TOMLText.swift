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
