/// A table as it was read: every value that is right, defaults included, with its place. What was wrong is
/// not here; it became an issue.
package struct TableReading: Sendable {
    package struct Value: Sendable {
        package let value: SettingValue
        package let position: TextPosition
        /// The places of the elements of a list.
        package var elements: [TextPosition] = []
    }

    /// `lane[1].relay`: for people, counting from 1.
    package let path: String
    package let position: TextPosition
    package var values: [String: Value] = [:]
    /// Keys that stand in the file, right or wrong.
    package var present: Set<String> = []
    package var tables: [String: TableReading] = [:]
    package var lists: [String: [TableReading]] = [:]

    package func integer(_ name: String) -> Int? {
        guard case .integer(let number)? = values[name]?.value else { return nil }
        return Int(number)
    }

    package func text(_ name: String) -> String? {
        guard case .text(let text)? = values[name]?.value else { return nil }
        return text
    }

    package func integers(_ name: String) -> [Int]? {
        guard case .integers(let numbers)? = values[name]?.value else { return nil }
        return numbers.map { Int($0) }
    }

    package func flag(_ name: String) -> Bool? {
        guard case .flag(let flag)? = values[name]?.value else { return nil }
        return flag
    }

    package func texts(_ name: String) -> [String]? {
        guard case .texts(let texts)? = values[name]?.value else { return nil }
        return texts
    }

    /// The texts of a list, each with its place.
    package func places(_ name: String) -> [(text: String, position: TextPosition)] {
        guard let value = values[name], case .texts(let texts) = value.value else { return [] }
        return texts.enumerated().map { number, text in
            (text, value.elements.indices.contains(number) ? value.elements[number] : value.position)
        }
    }

    /// A word as the case it stands for.
    package func choice<Choice: RawRepresentable<String>>(_ name: String, _: Choice.Type = Choice.self) -> Choice? {
        text(name).flatMap(Choice.init(rawValue:))
    }

    /// The same with names in the composed form (NFC), whichever the editor wrote. Paths stay as they are: file systems compare bytes.
    package var composed: TableReading {
        var table = self
        for (name, value) in values where !name.hasSuffix("-file") {
            table.values[name] = Value(value: value.value.composed, position: value.position, elements: value.elements)
        }
        table.tables = tables.mapValues(\.composed)
        table.lists = lists.mapValues { $0.map(\.composed) }
        return table
    }

    /// The place of a value, or of the table if it has none.
    package func position(of name: String) -> TextPosition { values[name]?.position ?? position }
}
