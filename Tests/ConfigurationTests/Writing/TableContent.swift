@testable import Configuration

/// The settings of one table as they would be written: the way back from values to text.
struct TableContent {
    var values: [String: SettingValue] = [:]
    var tables: [String: TableContent] = [:]
    var lists: [String: [TableContent]] = [:]

    mutating func set(_ name: String, _ number: Int) { values[name] = .integer(Int64(number)) }
    mutating func set(_ name: String, _ numbers: [Int]) { values[name] = .integers(numbers.map(Int64.init)) }
    mutating func set(_ name: String, _ text: String?) { values[name] = text.map(SettingValue.text) }
    mutating func set(_ name: String, _ flag: Bool) { values[name] = .flag(flag) }
    mutating func set(_ name: String, _ texts: [String]) { values[name] = texts.isEmpty ? nil : .texts(texts) }
    mutating func set(_ line: OutputLine) {
        switch line {
        case .offset(let number): set("line", Int(number))
        case .named(let name): set("line", name)
        }
    }
    mutating func set(_ name: String, _ choice: some RawRepresentable<String>) { values[name] = .text(choice.rawValue) }
}
