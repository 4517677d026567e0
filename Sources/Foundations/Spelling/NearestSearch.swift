/// Looks for the name somebody probably meant among any number of names, one at a time: the same but for case, accents, blanks and
/// underscores, the beginning of exactly one, or up to a third of its letters wrong.
public struct NearestSearch {
    private let written: FoldedName
    private var longer: String?
    private var isAmbiguous = false
    private var best: (name: String, distance: Int)?

    /// - Parameter written: what is nobody's name.
    public init(for written: String) { self.written = FoldedName(String(written.prefix(64))) }

    /// Takes one name into account; one that comes again changes nothing.
    public mutating func look(at known: String) {
        let name = FoldedName(known)
        let length = written.letters.count
        if name.letters.count > length, name.letters[length] == "-", name.letters.starts(with: written.letters) {
            isAmbiguous = isAmbiguous || longer.map { !$0.utf8.elementsEqual(known.utf8) } ?? false
            longer = known
        }
        let most = min(max(1, name.letters.count / 3), best.map { $0.distance - 1 } ?? .max)
        guard most >= 0, written.leastDistance(to: name) <= most else { return }
        let distance = NearestName.distance(written.letters, name.letters)
        if distance <= most { best = (known, distance) }
    }

    /// The name; nil where none is close.
    public var nearest: String? { isAmbiguous || best?.distance == 0 ? best?.name : longer ?? best?.name }
}

/// A name as it is compared with one that was mistyped.
struct FoldedName {
    let letters: [Character]
    /// Which letters there are, by a bit for each.
    private let signature: UInt64

    init(_ name: String) {
        letters = name.withoutAccents.lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 }
        signature = letters.reduce(0) { $0 | 1 << UInt64($1.unicodeScalars.first.map { $0.value % 64 } ?? 0) }
    }

    /// So many letters are wrong at least: most names are out at once.
    func leastDistance(to other: FoldedName) -> Int {
        max(abs(letters.count - other.letters.count), ((signature ^ other.signature).nonzeroBitCount + 1) / 2)
    }
}

/// Finds the name somebody probably meant.
public enum NearestName {
    /// The known name closest to what was written (`NearestSearch`), nil when none is close.
    public static func find(_ written: String, among known: [String]) -> String? {
        var search = NearestSearch(for: written)
        for name in known { search.look(at: name) }
        return search.nearest
    }

    /// Damerau–Levenshtein distance with adjacent transpositions: letters to insert, delete, replace or swap.
    static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var before: [Int] = []
        var above = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(above[j + 1] + 1, row[j] + 1, above[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
                row.append(best)
            }
            (before, above) = (above, row)
        }
        return above[b.count]
    }
}
