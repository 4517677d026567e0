import Storage

extension AuthorityDatabase {
    /// Looks through the whole file, as SQLite does: each page, each record, and whether each column holds what it may hold. Then each row of people
    /// is held to the sums. What is damaged is not signed, whatever it has become.
    func checkSoundness() throws(AuthorityError) {
        let query = try prepare("PRAGMA quick_check(1)")
        defer { query.reset() }
        guard try query.next() else { throw .damaged("nothing was found in it") }
        guard query.text(0) == "ok" else { throw .damaged(query.text(0)) }
        try checkRowSums()
    }
}
