import TrustSync

/// A whole bundle of people with the changes that lead on from it, as what puts the records of the newer state, in their order. Both are in
/// the order of keys, so that neither has to be in memory.
struct MergedPeople {
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
        nextOfWhole = try whole.next()
        nextChange = try changes?.next()
        self.whole = whole
        self.changes = changes
    }

    /// What puts the next record of the state.
    mutating func next() throws(ImportError) -> BundleEntry? {
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
