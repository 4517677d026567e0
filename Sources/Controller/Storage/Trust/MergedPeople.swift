import SiteData

/// A whole bundle of people with the changes that lead on from it, as what puts the records of the newer state, in their order. Both are in
/// the order of keys, so that neither has to be in memory.
struct MergedPeople {
    /// About as many as come with one piece of the file.
    private static let mostAtOnce = 1024

    private var whole: BundleSource
    private var changes: BundleSource?
    private var nextOfWhole: BundleEntry?
    private var nextChange: BundleEntry?
    /// The header of the state that comes of it.
    let header: BundleHeader

    /// - Parameters:
    ///   - full: a descriptor of the whole.
    ///   - changed: one of the changes; nil: there are none.
    init(full: Int32, changes changed: Int32?, _ update: RepositoryUpdate, ceiling: Ceiling) throws(ImportError) {
        func expectation(having: UInt64?) -> BundleExpectation {
            BundleExpectation(site: update.site, state: update.state, having: having, ceiling: ceiling, issuedAt: update.issuedAt)
        }
        var whole = try BundleSource(descriptor: full, expectation(having: nil))
        var changes: BundleSource?
        if let changed { changes = try BundleSource(descriptor: changed, expectation(having: whole.header.version)) }
        header = changes?.header ?? whole.header
        if changes != nil {
            nextOfWhole = try whole.next()
            nextChange = try changes?.next()
        }
        self.whole = whole
        self.changes = changes
    }

    /// What puts the next records of the state; nil at its end.
    mutating func several() throws(ImportError) -> [BundleEntry]? {
        // A million entries are not copied one by one.
        guard changes != nil else { return try whole.several() }
        var entries: [BundleEntry] = []
        entries.reserveCapacity(Self.mostAtOnce)
        while entries.count < Self.mostAtOnce, let entry = try next() { entries.append(entry) }
        return entries.isEmpty ? nil : entries
    }

    /// What puts the next record of the state.
    private mutating func next() throws(ImportError) -> BundleEntry? {
        while true {
            guard let change = nextChange, nextOfWhole.map({ change.key <= $0.key }) ?? true else { return try fromWhole() }
            if change.key == nextOfWhole?.key { _ = try fromWhole() }
            nextChange = try changes?.next()
            if case .put = change.item { return change }
        }
    }

    private mutating func fromWhole() throws(ImportError) -> BundleEntry? {
        guard let entry = nextOfWhole, case .put = entry.item else { return nil }
        nextOfWhole = try whole.next()
        return entry
    }
}
