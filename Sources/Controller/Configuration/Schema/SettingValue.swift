import Encoding

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
