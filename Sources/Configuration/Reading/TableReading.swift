/// A table as it was read: every value that is right, defaults included, with its place. What was wrong is
/// not here; it became an issue.
struct TableReading: Sendable {
    struct Value: Sendable {
        let value: SettingValue
        let position: TextPosition
    }

    /// `lane[1].relay`: for people, counting from 1.
    let path: String
    let position: TextPosition
    var values: [String: Value] = [:]
    /// Keys that stand in the file, right or wrong.
    var present: Set<String> = []
    var tables: [String: TableReading] = [:]
    var lists: [String: [TableReading]] = [:]

    func integer(_ name: String) -> Int? {
        guard case .integer(let number)? = values[name]?.value else { return nil }
        return Int(number)
    }

    func text(_ name: String) -> String? {
        guard case .text(let text)? = values[name]?.value else { return nil }
        return text
    }

    func integers(_ name: String) -> [Int]? {
        guard case .integers(let numbers)? = values[name]?.value else { return nil }
        return numbers.map { Int($0) }
    }

    /// A word as the case it stands for.
    func choice<Choice: RawRepresentable<String>>(_ name: String, _: Choice.Type = Choice.self) -> Choice? {
        text(name).flatMap(Choice.init(rawValue:))
    }

    /// The place of a value, or of the table if it has none.
    func position(of name: String) -> TextPosition { values[name]?.position ?? position }
}
