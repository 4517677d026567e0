import Files
import Threads
import TrustSync

/// Items in the order of their keys, in a part of a file: each as a change has it, after its length in four bytes.
struct ItemRun {
    private let file: FileDescriptor
    private var rest: Range<Int>
    private var piece: ArraySlice<UInt8> = []

    /// So many bytes are read and written at once.
    static let pieceLength = 1 << 16
    private static let headLength = 4

    /// The items in a part of a file.
    init(_ file: FileDescriptor, _ range: Range<Int>) { (self.file, rest) = (file, range) }

    /// The next item; nil when there is none.
    mutating func next() throws(AuthorityError) -> BundleItem? {
        guard !piece.isEmpty || !rest.isEmpty else { return nil }
        let length = try take(Self.headLength).reduce(0) { $0 << 8 | Int($1) }
        return try Self.item(take(length))
    }

    static func append(_ item: [UInt8], to bytes: inout [UInt8]) {
        bytes += (0..<headLength).reversed().map { UInt8(truncatingIfNeeded: item.count >> (8 * $0)) }
        bytes += item
    }

    static func item(_ bytes: [UInt8]) throws(AuthorityError) -> BundleItem {
        guard let item = BundleItem(encodedChange: bytes) else { throw .damaged }
        return item
    }

    private mutating func take(_ count: Int) throws(AuthorityError) -> [UInt8] {
        if piece.count < count {
            do throws(SystemError) {
                let more = try file.read(count: min(max(count, Self.pieceLength), rest.count), at: rest.lowerBound)
                rest = rest.lowerBound + more.count..<rest.upperBound
                piece = ArraySlice(piece + more)
            } catch {
                throw .system(error)
            }
        }
        guard piece.count >= count else { throw .damaged }
        defer { piece = piece.dropFirst(count) }
        return Array(piece.prefix(count))
    }
}
