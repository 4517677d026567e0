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
