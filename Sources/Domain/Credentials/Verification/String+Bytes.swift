extension String {
    /// Whether two names are the same bytes. `==` goes by Unicode equivalence, under which two names that
    /// an issuer writes differently could be one.
    func hasSameBytes(as other: String) -> Bool {
        let same = utf8.withContiguousStorageIfAvailable { ours in
            other.utf8.withContiguousStorageIfAvailable { theirs in
                ours.count == theirs.count && ours.indices.allSatisfy { ours[$0] == theirs[$0] }
            }
        }
        // Text that is not in one piece is compared byte by byte.
        return (same ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
