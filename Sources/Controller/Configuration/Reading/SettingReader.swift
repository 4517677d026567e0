import Encoding
import Spelling

/// Checks one value against its setting.
struct SettingReader {
    let setting: Setting
    /// The table's path, for messages.
    let path: String

    /// The value, or nil and an issue.
    func read(_ node: TOMLNode, _ issues: inout IssueList) -> SettingValue? {
        switch (setting.kind, node.content) {
        case (.integer(let range), .integer(let number)):
            return integer(number, in: range, at: node.position, &issues).map(SettingValue.integer)
        case (.line, .integer(let number)):
            return integer(number, in: 0...1023, at: node.position, &issues).map(SettingValue.integer)
        case (.number(let known), .integer(let number)):
            return self.number(number, among: known, at: node.position, &issues)
        case (.integers(let known), .array(let elements)):
            return integers(elements, among: known, at: node.position, &issues)
        case (.flag, .boolean(let flag)):
            return .flag(flag)
        case (.texts(let maximum), .array(let elements)):
            return texts(elements, maximum: maximum, at: node.position, &issues)
        case (.names(let maximum), .array(let elements)):
            return texts(elements, areNames: true, maximum: maximum, at: node.position, &issues)
        case (.choice(let words), .text(let text)):
            return choice(text, among: words, at: node.position, &issues)
        case (.identifier(let maximum), .text(let text)):
            return checked(text, TextRule.identifier(text, maximum: maximum), at: node.position, &issues)
        case (.text(let maximum), .text(let text)):
            return checked(text, TextRule.text(text, maximum: maximum), at: node.position, &issues)
        case (.name(let maximum), .text(let text)):
            return checkedName(text, maximum: maximum, at: node.position, &issues)
        case (.line, .text(let text)):
            return checked(text, TextRule.text(text, maximum: 64), at: node.position, &issues)
        case (.path(let maximum), .text(let text)):
            return checked(text, TextRule.path(text, maximum: maximum), at: node.position, &issues)
        case (.bluetoothAddress, .text(let text)):
            return checked(text.uppercased(), TextRule.bluetoothAddress(text), at: node.position, &issues)
        case (.webAddress(let maximum), .text(let text)):
            return checked(text, TextRule.webAddress(text, maximum: maximum), at: node.position, &issues)
        case (.uuid, .text(let text)):
            return checked(text.lowercased(), TextRule.uuid(text), at: node.position, &issues)
        case (.hex(let bytes), .text(let text)):
            return checked(text.lowercased(), TextRule.hex(text, bytes: bytes), at: node.position, &issues)
        case (.time, .moment(let seconds)):
            // By its text: an offset may lead out of the years that can be read again.
            return time(UTCText.make(seconds: seconds), at: node.position, &issues)
        case (.time, .text(let text)):
            return time(text, at: node.position, &issues)
        case (.integer, _), (.line, _), (.number, _), (.integers, _), (.flag, _), (.texts, _), (.names, _), (.choice, _), (.identifier, _), (.text, _),
             (.name, _), (.path, _), (.bluetoothAddress, _), (.webAddress, _), (.uuid, _), (.hex, _), (.time, _):
            issues.error("wrong-type", at: node.position, "\(name) is \(setting.kind.description), not \(node.kindName).")
            return nil
        }
    }

    private var name: String { path.isEmpty ? setting.name : "\(path).\(setting.name)" }

    private func integer(_ number: Int64, in range: ClosedRange<Int64>, at position: TextPosition,
                         _ issues: inout IssueList) -> Int64? {
        if range.contains(number) { return number }
        issues.error("out-of-range", at: position, "\(name) is from \(range.lowerBound) to \(range.upperBound), not \(number).")
        return nil
    }

    private func number(_ number: Int64, among known: [Int64], at position: TextPosition, _ issues: inout IssueList) -> SettingValue? {
        if known.contains(number) { return .integer(number) }
        issues.error("bad-choice", at: position, "\(name) is \(setting.kind.description), not \(number).")
        return nil
    }

    private func time(_ text: String, at position: TextPosition, _ issues: inout IssueList) -> SettingValue? {
        if let milliseconds = UTCText.read(text), milliseconds >= 0 { return .text(UTCText.make(seconds: milliseconds / 1000)) }
        issues.error("bad-text", at: position, "\(name) is \(setting.kind.description), not \"\(text)\".")
        return nil
    }

    private func checked(_ text: String, _ complaint: String?, at position: TextPosition,
                         _ issues: inout IssueList) -> SettingValue? {
        guard let complaint else { return .text(text) }
        issues.error("bad-text", at: position, "\(name) \(complaint).")
        return nil
    }

    private func checkedName(_ text: String, maximum: Int, at position: TextPosition, _ issues: inout IssueList) -> SettingValue? {
        guard let flaw = NameRule.flaw(in: text) else { return checked(text, TextRule.text(text, maximum: maximum), at: position, &issues) }
        issues.error(NameFlaw.code, at: position, "\(name) \(flaw.complaint).")
        return nil
    }

    private func choice(_ text: String, among words: [String], at position: TextPosition,
                        _ issues: inout IssueList) -> SettingValue? {
        if words.contains(text) { return .text(text) }
        let list = words.map { "\"\($0)\"" }.joined(separator: ", ")
        issues.error("bad-choice", at: position, "\(name) is one of \(list).",
                     suggestion: NearestName.find(text, among: words))
        return nil
    }

    private func texts(
        _ elements: [TOMLNode], areNames: Bool = false, maximum: Int, at position: TextPosition, _ issues: inout IssueList
    ) -> SettingValue? {
        var texts: [String] = []
        for element in elements {
            guard case .text(let text) = element.content else {
                issues.error("wrong-type", at: element.position, "\(name) is \(setting.kind.description), not one with \(element.kindName).")
                continue
            }
            let value = areNames ? checkedName(text, maximum: maximum, at: element.position, &issues)
                : checked(text, TextRule.text(text, maximum: maximum), at: element.position, &issues)
            if case .text(let text)? = value { texts.append(text) }
        }
        if elements.isEmpty { issues.error("empty-list", at: position, "\(name) needs at least one text.") }
        return texts.isEmpty || texts.count < elements.count ? nil : .texts(texts)
    }

    private func integers(_ elements: [TOMLNode], among known: [Int64], at position: TextPosition,
                          _ issues: inout IssueList) -> SettingValue? {
        var numbers: [Int64] = []
        var right = true
        for element in elements {
            guard case .integer(let number) = element.content, known.contains(number) else {
                let list = known.map(String.init).joined(separator: ", ")
                issues.error("bad-choice", at: element.position, "\(name) is a list out of \(list).")
                right = false
                continue
            }
            if numbers.contains(number) {
                issues.error("repeated-value", at: element.position, "\(name) names \(number) twice.")
                right = false
            }
            numbers.append(number)
        }
        if elements.isEmpty {
            issues.error("empty-list", at: position, "\(name) needs at least one number.")
            right = false
        }
        return right ? .integers(numbers) : nil
    }
}
