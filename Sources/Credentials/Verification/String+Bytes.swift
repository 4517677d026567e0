extension String {
    /// Whether two names are the same bytes. `==` goes by Unicode equivalence, under which two names that
    /// an issuer writes differently could be one.
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
