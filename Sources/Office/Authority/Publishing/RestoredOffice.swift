/// What differs between a repository and an office that is older than it, as after a backup was restored.
public struct RestoredOffice: Hashable, Sendable {
    /// Who would be let in again, or believed again, in words.
    public internal(set) var letIn = Listed()
    /// Who would be let in no more.
    public internal(set) var shutOut = Listed()
    /// What else the site decided.
    public internal(set) var decisions = Listed()

    /// Which of the two counts.
    public enum Choice: String, Hashable, Sendable, CaseIterable {
        /// What was published: the office is brought up to it.
        case repository
        /// What the office has, whoever is let in again.
        case office
    }

    /// Sentences, of which only the first are kept.
    public struct Listed: Hashable, Sendable {
        /// The first ones.
        public private(set) var lines: [String] = []
        /// How many there are.
        public private(set) var count = 0
        private static let most = 100

        /// One line each, and how many more there are.
        public var shown: [String] { lines + (count > lines.count ? ["and \(count - lines.count) more"] : []) }

        mutating func append(_ line: String) {
            count += 1
            if lines.count < Self.most { lines.append(line) }
        }

        /// All of it for people.
        var words: String { lines.joined(separator: "; ") + (count > lines.count ? "; and \(count - lines.count) more" : "") }
    }

    var isEmpty: Bool { letIn.count + shutOut.count + decisions.count == 0 }

    /// What to say of it.
    var message: String {
        let parts = [("Let in again would be", letIn), ("Shut out would be", shutOut), ("Decided otherwise would be", decisions)]
        let told = parts.filter { $0.1.count > 0 }.map { "\($0.0): \($0.1.words)." }
        return "The repository is newer than this office, as after an old backup was restored, and nothing was published. \(told.joined(separator: " ")) "
            + "Say which of the two counts: 'publish --restored repository' brings the office up to what was published, 'publish --restored office' publishes "
            + "what the office has."
    }
}
