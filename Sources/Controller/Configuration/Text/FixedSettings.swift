/// What a running gate cannot change, as it was read: who it is, where its state lies, how it is wired. Which settings these are stands in the
/// schema, beside each.
public struct FixedSettings: Hashable, Sendable {
    private struct Entry: Hashable {
        /// For people: `lane entry: relay.line`.
        let name: String
        let value: String
        /// The element of a list that needs a restart to come or go; nil: it stands in none.
        let element: String?
    }

    private var entries: [Entry] = []

    /// - Parameter root: the document, in which nothing is wrong.
    init(_ root: TableReading) {
        read(Schema.root, root, Place(), isFixed: false, type: nil)
    }

    /// The names of those that differ, in the order of the schema. Of an element that comes or goes the list is named, not what stands in it.
    public func changes(to next: FixedSettings) -> [String] {
        let now = Dictionary(entries.map { ($0.name, $0.value) }) { first, _ in first }
        let then = Dictionary(next.entries.map { ($0.name, $0.value) }) { first, _ in first }
        var told: Set<String> = []
        let stay = Set(entries.compactMap(\.element)).intersection(next.entries.compactMap(\.element))
        return (entries + next.entries).filter { $0.element.map(stay.contains) ?? true }.map(\.name)
            .filter { now[$0] != then[$0] && told.insert($0).inserted }
    }

    /// Where a table stands: the element of a list, and the path within it.
    private struct Place {
        var element = ""
        var path: [String] = []
        var fixedElement: String?

        func below(_ table: String) -> Place { Place(element: element, path: path + [table], fixedElement: fixedElement) }

        func name(_ last: String) -> String { element + (path + [last]).joined(separator: ".") }
    }

    private mutating func read(_ table: SettingTable, _ reading: TableReading, _ place: Place, isFixed: Bool, type: String?) {
        let type = reading.text("type") ?? type
        for setting in table.settings {
            guard let value = Self.value(of: setting, in: reading, isFixed: isFixed, type: type) else { continue }
            entries.append(Entry(name: place.name(setting.name), value: value, element: place.fixedElement))
        }
        for child in table.tables {
            let isFixed = isFixed || child.change == .restart
            readAll(child, (reading.tables[child.name].map { [$0] } ?? []) + (reading.lists[child.name] ?? []), place, isFixed: isFixed, type: type)
        }
    }

    private mutating func readAll(_ table: SettingTable, _ readings: [TableReading], _ place: Place, isFixed: Bool, type: String?) {
        guard case .list = table.form else {
            for reading in readings { read(table, reading, place.below(table.name), isFixed: isFixed, type: type) }
            return
        }
        let names = readings.map { $0.text("name") ?? "" }
        let isFixedList = isFixed || table.change == .restartForList
        if isFixedList {
            entries.append(Entry(name: "the list of \(place.name(table.name))s", value: names.joined(separator: " "), element: place.fixedElement))
        }
        for (name, reading) in zip(names, readings) {
            let element = "\(place.name(table.name)) \(name): "
            read(table, reading, Place(element: element, fixedElement: isFixedList ? element : place.fixedElement), isFixed: isFixed, type: type)
        }
    }

    private static func value(of setting: Setting, in reading: TableReading, isFixed: Bool, type: String?) -> String? {
        let value = reading.values[setting.name].map { TOMLText.value($0.value) } ?? standard(setting.presence, in: reading)
        if isFixed { return value }
        return switch setting.change {
        case .live: nil
        case .restart: value
        case .restartToComeOrGo: value.map { _ in "set" }
        case .restartIfType(let word): type == word ? value : nil
        }
    }

    private static func standard(_ presence: SettingPresence, in reading: TableReading) -> String? {
        guard case .byWord(let key, let values) = presence else { return nil }
        return reading.text(key).flatMap { values[$0] }.map { TOMLText.value(.text($0)) }
    }
}
