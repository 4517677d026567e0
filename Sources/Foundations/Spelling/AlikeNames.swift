/// Looks for names that are others than one, and that a person in a hurry takes for it: the same but for case, accents, blanks and underscores.
public struct AlikeNames {
    private let name: String
    private let folded: FoldedName
    /// Those that were found.
    public private(set) var found: Set<String> = []

    /// - Parameter name: the one that is meant.
    public init(to name: String) { (self.name, folded) = (name, FoldedName(name)) }

    /// Takes one name into account, as often as it comes.
    public mutating func look(at known: String) {
        guard mayBeAlike(known), !known.utf8.elementsEqual(name.utf8), FoldedName(known).letters == folded.letters else { return }
        found.insert(known)
    }

    /// Most names are out at once, by a first letter without an accent.
    private func mayBeAlike(_ known: String) -> Bool {
        guard let first = name.utf8.first, let other = known.utf8.first, first < 0x80, other < 0x80 else { return true }
        return first | 0x20 == other | 0x20
    }
}
