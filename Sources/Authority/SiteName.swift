/// The rule for names of sites, issuers and groups of gates.
enum SiteName {
    /// In bytes. The site's name travels in the credential of its gates, which some phones bound.
    static let longest = 64

    /// - Throws: `badName`.
    static func check(_ name: String) throws(AuthorityError) {
        guard (1...longest).contains(name.utf8.count), name != ".", name != "..",
              name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F && $0 != "/" }) else {
            throw .badName(name)
        }
    }
}
