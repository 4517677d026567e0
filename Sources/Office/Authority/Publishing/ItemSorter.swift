import Files
import Threads
import TrustSync

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
            for (_, bytes) in taken() { try body(ItemRun.item(bytes)) }
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

    private mutating func taken() -> [(key: RecordKey, bytes: [UInt8])] {
        defer { (pending, pendingLength) = ([], 0) }
        return pending.sorted { $0.key < $1.key }
    }

    private mutating func writeRun() throws(AuthorityError) {
        do throws(SystemError) {
            if file == nil { file = try FileReplacement.withoutName(beside: path) }
            guard let file else { return }
            let start = runs.last?.upperBound ?? 0
            var end = start, piece: [UInt8] = []
            for (_, bytes) in taken() {
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
