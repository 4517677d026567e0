import Glibc
import SiteData

/// The items of a bundle one after another, read from a descriptor as they are asked for.
struct BundleSource {
    private let source: PieceReader
    private var reader: BundleReader
    private var items: ArraySlice<BundleEntry> = []
    private var isOver = false
    /// The header.
    let header: BundleHeader

    /// Reads the header.
    init(descriptor: Int32, _ expectation: BundleExpectation) throws(ImportError) {
        source = try PieceReader(descriptor: descriptor)
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

    private static func piece(of source: PieceReader) throws(ImportError) -> [UInt8]? {
        do throws(StorageError) { return try source.next() } catch { throw .storage(error) }
    }

    private static func feed(_ piece: [UInt8], to reader: inout BundleReader) throws(ImportError) -> [BundleEntry] {
        do throws(BundleError) { return try reader.entries(piece) } catch { throw .bundle(error) }
    }
}

/// Reads a file of site data from a descriptor of somebody else's, piece by piece, each byte once.
private final class PieceReader {
    private static let pieceLength = 65_536

    private let descriptor: Int32
    private var offset = 0

    /// - Throws: `publication-not-a-file` for anything but a regular file. A pipe or a terminal need never
    ///   end, and whoever passed it would hold up every other import.
    init(descriptor: Int32) throws(ImportError) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else {
            throw .storage(StorageError(errno: errno, doing: "look at the site data"))
        }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        self.descriptor = descriptor
    }

    /// The next bytes, nil at the end.
    func next() throws(StorageError) -> [UInt8]? {
        var failure: Int32 = 0
        let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceLength) { buffer, filled in
            var got = 0
            repeat { got = pread(descriptor, buffer.baseAddress, Self.pieceLength, off_t(offset)) } while got < 0 && errno == EINTR
            if got < 0 { failure = errno }
            filled = max(0, got)
        }
        guard failure == 0 else { throw StorageError(errno: failure, doing: "read the site data") }
        offset += piece.count
        return piece.isEmpty ? nil : piece
    }
}
