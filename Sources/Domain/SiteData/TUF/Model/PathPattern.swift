import Encoding

/// A pattern of target paths as a shell has them (TUF specification, 4.5): `*` for any number of characters,
/// `?` for one, `[ab]`, `[a-c]`, `[!a]` for one of several. None of them stands for a slash; there is no
/// character that takes their meaning away.
public struct PathPattern: Hashable, Sendable {
    /// Kept as it is: taken apart it would need many times the memory, and most patterns are never asked.
    private let text: ExactText

    /// One part of a pattern stands for this.
    private enum Element: Hashable, Sendable {
        case one(Unicode.Scalar)
        case anyOne
        case anyNumber
        case oneOf(CharacterSet)
    }

    /// Several characters, or all others.
    private struct CharacterSet: Hashable, Sendable {
        let ranges: [ClosedRange<UInt32>]
        let isInverted: Bool

        func contains(_ character: Unicode.Scalar) -> Bool {
            ranges.contains { $0.contains(character.value) } != isInverted
        }
    }

    /// A pattern. Every text is one.
    public init(_ text: String) { self.text = ExactText(text) }

    /// Whether the whole path fits: part by part between slashes.
    public func fits(_ path: TargetPath) -> Bool { fits(path.path.text) }

    func fits(_ path: String) -> Bool {
        let given = Self.split(path), parts = Self.split(text.text)
        return given.count == parts.count && zip(given, parts).allSatisfy { Self.fits($0, Self.elements($1)) }
    }

    /// Characters are Unicode's scalars: what a person sees as one may be two here, as for everybody else.
    private static func split(_ text: String) -> [ArraySlice<Unicode.Scalar>] {
        Array(text.unicodeScalars).split(separator: "/", omittingEmptySubsequences: false)
    }

    /// When what follows a `*` does not fit, the last `*` takes one character more. Earlier ones need no
    /// second try, so that the work is at most the product of the two lengths.
    private static func fits(_ text: ArraySlice<Unicode.Scalar>, _ pattern: [Element]) -> Bool {
        var place = text.startIndex, next = 0
        var retry: (place: Int, next: Int)?
        while place < text.endIndex {
            if next < pattern.count, pattern[next] == .anyNumber {
                retry = (place, next + 1)
                next += 1
            } else if next < pattern.count, fits(text[place], pattern[next]) {
                place += 1
                next += 1
            } else if let last = retry {
                retry = (last.place + 1, last.next)
                (place, next) = (last.place + 1, last.next)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == .anyNumber }
    }

    private static func fits(_ character: Unicode.Scalar, _ element: Element) -> Bool {
        switch element {
        case .one(let wanted): character == wanted
        case .anyOne: true
        case .anyNumber: false
        case .oneOf(let set): set.contains(character)
        }
    }
}

extension PathPattern {
    private static func elements(_ text: ArraySlice<Unicode.Scalar>) -> [Element] {
        var elements: [Element] = []
        var rest = text
        while let character = rest.popFirst() {
            switch character {
            case "*": elements.append(.anyNumber)
            case "?": elements.append(.anyOne)
            case "[": elements.append(readSet(&rest).map(Element.oneOf) ?? .one("["))
            default: elements.append(.one(character))
            }
        }
        return elements
    }

    /// What stands between brackets. A `]` right after the first bracket, or after `[!`, is one of the
    /// characters; without a last bracket there is no set.
    private static func readSet(_ rest: inout ArraySlice<Unicode.Scalar>) -> CharacterSet? {
        let isInverted = rest.first == "!"
        let inner = isInverted ? rest.dropFirst() : rest
        guard let end = inner.dropFirst().firstIndex(of: "]") else { return nil }
        rest = rest[(end + 1)...]
        return CharacterSet(ranges: ranges(inner[..<end]), isInverted: isInverted)
    }

    /// `a-c` is a range, and an empty one when its ends are the wrong way round; a `-` at either end is itself.
    private static func ranges(_ text: ArraySlice<Unicode.Scalar>) -> [ClosedRange<UInt32>] {
        var ranges: [ClosedRange<UInt32>] = []
        var rest = text
        while let first = rest.popFirst() {
            var last = first
            if rest.first == "-", rest.count > 1 {
                last = rest[rest.startIndex + 1]
                rest = rest.dropFirst(2)
            }
            if first <= last { ranges.append(first.value...last.value) }
        }
        return ranges
    }
}
