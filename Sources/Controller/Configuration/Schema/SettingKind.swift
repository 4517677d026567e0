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
