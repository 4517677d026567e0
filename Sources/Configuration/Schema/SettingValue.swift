/// A value of one setting.
public enum SettingValue: Hashable, Sendable {
    case integer(Int64)
    case text(String)
    case integers([Int64])
    case flag(Bool)
    case texts([String])
}
