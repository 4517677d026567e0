/// How a file writes anti-passback.
enum PassbackWord: String, CaseIterable {
    case off, soft, hard, timed
}
