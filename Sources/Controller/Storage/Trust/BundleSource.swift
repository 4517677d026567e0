import TrustSync

/// The items of a bundle one after another, read from a descriptor as they are asked for.
struct BundleSource {
    private let source: PublicationSource
    private var reader: BundleReader
    private var items: ArraySlice<BundleEntry> = []
    private var isOver = false
    /// The header.
    let header: BundleHeader

    /// Reads the header.
    init(descriptor: Int32, _ expectation: BundleExpectation) throws(ImportError) {
        source = try PublicationSource(descriptor: descriptor)
        reader = BundleReader(expecting: expectation)
        while reader.header == nil, let piece = try Self.piece(of: source) { items = try Self.feed(piece, to: &reader)[...] }
        guard let header = reader.header else {
            // It says why: there was no whole item.
            do throws(BundleError) { header = try reader.finish() } catch { throw .bundle(error) }
            return
        }
        self.header = header
    }

    /// The next item; nil when the bundle is whole and at its end.
    mutating func next() throws(ImportError) -> BundleEntry? {
        try fill()
        return items.popFirst()
    }

    /// The next items, as many as came with one piece of the file; nil when the bundle is whole and at its end.
    mutating func several() throws(ImportError) -> [BundleEntry]? {
        try fill()
        defer { items = [] }
        return items.isEmpty ? nil : Array(items)
    }

    private mutating func fill() throws(ImportError) {
        while items.isEmpty, !isOver {
            if let piece = try Self.piece(of: source) {
                items = try Self.feed(piece, to: &reader)[...]
            } else {
                do throws(BundleError) { _ = try reader.finish() } catch { throw .bundle(error) }
                isOver = true
            }
        }
    }

    private static func piece(of source: PublicationSource) throws(ImportError) -> [UInt8]? {
        do throws(StorageError) { return try source.next() } catch { throw .storage(error) }
    }

    private static func feed(_ piece: [UInt8], to reader: inout BundleReader) throws(ImportError) -> [BundleEntry] {
        do throws(BundleError) { return try reader.entries(piece) } catch { throw .bundle(error) }
    }
}
