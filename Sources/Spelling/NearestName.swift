/// Finds the name somebody probably meant.
public enum NearestName {
    /// The known name closest to what was written, nil when none is close: the same but for case and
    /// underscores, the beginning of exactly one, or up to a third of its letters wrong.
    public static func find(_ written: String, among known: [String]) -> String? {
        let plain = normalised(written)
        let longer = known.filter { $0.hasPrefix(plain + "-") }
        if let only = longer.first, longer.count == 1 { return only }
        let ranked = known.map { (name: $0, distance: distance(plain, $0)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.name.count / 3) ? best.name : nil
    }

    private static func normalised(_ name: String) -> String {
        String(name.prefix(64).lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 })
    }

    /// Damerau–Levenshtein distance with adjacent transpositions: letters to insert, delete, replace or swap.
    static func distance(_ a: String, _ b: String) -> Int {
        let (a, b) = (Array(a), Array(b))
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
