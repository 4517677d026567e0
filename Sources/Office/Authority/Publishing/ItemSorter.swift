import Files
import SiteData
import Threads

/// Brings items of a bundle into the order of their keys, however many they are: what is more than a few megabytes waits on the disk, in sorted
/// runs that are merged at the end. The file has no name: nothing of it stays, whatever ends the program.
struct ItemSorter {
    /// So many bytes wait in memory.
    private let most: Int
    private let path: String
    private var pending: [(key: RecordKey, bytes: [UInt8])] = []
    private var pendingLength = 0
    private var file: FileDescriptor?
    /// Where the runs lie in the file, one after the other.
    private var runs: [Range<Int>] = []
    /// What the items come to as changes, in bytes.
    private(set) var length = 0

    /// What an item takes in memory besides its bytes.
    private static let overhead = 160
    private static let usualMost = 16 << 20

    /// - Parameter folder: where the file lies.
    init(in folder: AuthorityFolder, most: Int = usualMost) {
        path = folder.path(of: "sorting")
        self.most = most
    }

    /// Takes an item, in any order.
    mutating func add(_ item: BundleItem) throws(AuthorityError) {
        let bytes = item.encoded(isChange: true)
        length += bytes.count
        pending.append((item.key, bytes))
        pendingLength += bytes.count + Self.overhead
        if pendingLength >= most { try writeRun() }
    }

    /// Goes through all items in the order of their keys; then there are none.
    mutating func forEach(_ body: (BundleItem) throws(AuthorityError) -> Void) throws(AuthorityError) {
        guard let file else {
            for (_, bytes) in drained() { try body(ItemRun.item(bytes)) }
            return
        }
        try writeRun()
        var heads: [(key: RecordKey, item: BundleItem, run: ItemRun)] = []
        for range in runs {
            var run = ItemRun(file, range)
            if let item = try run.next() { heads.append((item.key, item, run)) }
        }
        while let first = heads.indices.min(by: { heads[$0].key < heads[$1].key }) {
            try body(heads[first].item)
            if let item = try heads[first].run.next() { (heads[first].key, heads[first].item) = (item.key, item) } else { heads.remove(at: first) }
        }
        runs = []
    }

    private mutating func drained() -> [(key: RecordKey, bytes: [UInt8])] {
        defer { (pending, pendingLength) = ([], 0) }
        return pending.sorted { $0.key < $1.key }
    }

    private mutating func writeRun() throws(AuthorityError) {
        do throws(SystemError) {
            if file == nil { file = try FileReplacement.withoutName(beside: path) }
            guard let file else { return }
            let start = runs.last?.upperBound ?? 0
            var end = start, piece: [UInt8] = []
            for (_, bytes) in drained() {
                ItemRun.append(bytes, to: &piece)
                guard piece.count >= ItemRun.pieceLength else { continue }
                try file.write(piece, at: end)
                end += piece.count
                piece.removeAll(keepingCapacity: true)
            }
            try file.write(piece, at: end)
            runs.append(start..<end + piece.count)
        } catch {
            throw .system(error)
        }
    }
}

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
        let length = try read(Self.headLength).reduce(0) { $0 << 8 | Int($1) }
        return try Self.item(read(length))
    }

    static func append(_ item: [UInt8], to bytes: inout [UInt8]) {
        bytes += (0..<headLength).reversed().map { UInt8(truncatingIfNeeded: item.count >> (8 * $0)) }
        bytes += item
    }

    static func item(_ bytes: [UInt8]) throws(AuthorityError) -> BundleItem {
        guard let item = BundleItem(encodedChange: bytes) else { throw .damaged }
        return item
    }

    private mutating func read(_ count: Int) throws(AuthorityError) -> [UInt8] {
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
