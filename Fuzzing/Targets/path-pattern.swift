@testable import SiteData

/// A pattern and a path with a line feed in between: the one fits the other where a second matcher says so, which was written
/// from the description and tries every way.
func fuzz(_ input: [UInt8]) {
    let pieces = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    guard pieces.count == 2 else { return }
    let pattern = String(decoding: pieces[0], as: UTF8.self), path = String(decoding: pieces[1], as: UTF8.self)
    let fits = PathPattern(pattern).fits(path)
    // Every way is too many for a long text.
    guard pieces[0].count <= 200, pieces[1].count <= 40, pieces[0].count(where: { $0 == UInt8(ascii: "*") }) <= 3 else { return }
    precondition(fits == Shell(pattern).fits(path), "both matchers agree")
    guard let target = TargetPath(path) else { return }
    precondition(PathPattern(pattern).fits(target) == fits, "a path is its text")
}

private struct Shell {
    let parts: [[Unicode.Scalar]]

    init(_ pattern: String) { parts = Self.split(pattern) }

    static func split(_ text: String) -> [[Unicode.Scalar]] {
        var parts: [[Unicode.Scalar]] = [[]]
        for scalar in text.unicodeScalars {
            if scalar == "/" { parts.append([]) } else { parts[parts.count - 1].append(scalar) }
        }
        return parts
    }

    func fits(_ path: String) -> Bool {
        let given = Self.split(path)
        return given.count == parts.count && given.indices.allSatisfy { Self.fits(given[$0][...], parts[$0][...]) }
    }

    static func fits(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        if first == "*" { return (0...text.count).contains { fits(text.dropFirst($0), rest) } }
        guard let character = text.first else { return false }
        if first == "[", let (set, behind) = readSet(rest) {
            return holds(set, character) && fits(text.dropFirst(), behind)
        }
        return (first == "?" || first == character) && fits(text.dropFirst(), rest)
    }

    /// What stands between the brackets, and what behind them.
    static func readSet(_ text: ArraySlice<Unicode.Scalar>) -> (ArraySlice<Unicode.Scalar>, ArraySlice<Unicode.Scalar>)? {
        var end = text.startIndex
        if end < text.endIndex, text[end] == "!" { end += 1 }
        if end < text.endIndex, text[end] == "]" { end += 1 }
        while end < text.endIndex, text[end] != "]" { end += 1 }
        guard end < text.endIndex else { return nil }
        return (text[..<end], text[(end + 1)...])
    }

    static func holds(_ set: ArraySlice<Unicode.Scalar>, _ character: Unicode.Scalar) -> Bool {
        let isInverted = set.first == "!"
        let items = Array(isInverted ? set.dropFirst() : set)
        var place = 0, isThere = false
        while place < items.count {
            if place + 2 < items.count, items[place + 1] == "-" {
                isThere = isThere || (items[place] <= character && character <= items[place + 2])
                place += 3
            } else {
                isThere = isThere || items[place] == character
                place += 1
            }
        }
        return isThere != isInverted
    }
}
