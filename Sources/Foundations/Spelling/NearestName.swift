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
