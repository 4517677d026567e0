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
