/// What the first 100 bytes of a database file say (https://www.sqlite.org/fileformat2.html, 1.3).
/// Reading them costs one system call whatever the size of the file, and touches nothing.
struct DatabaseHeader: Equatable {
    static let length = 100
    private static let magic = Array("SQLite format 3\0".utf8)

    /// In bytes, a power of two from 512 to 65536.
    let pageSize: Int
    /// The size of the database in pages, as of the last change.
    let pageCount: Int
    /// PRAGMA user_version.
    let userVersion: Int32
    /// PRAGMA application_id.
    let applicationIdentifier: Int32

    /// Nil if the bytes are no database header.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.length, Array(bytes[0..<16]) == Self.magic else { return nil }
        func number(_ offset: Int, _ width: Int) -> UInt32 {
            bytes[offset..<(offset + width)].reduce(0) { $0 << 8 | UInt32($1) }
        }
        let size = number(16, 2)
        pageSize = size == 1 ? 65536 : Int(size)
        guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else { return nil }
        pageCount = Int(number(28, 4))
        userVersion = Int32(bitPattern: number(60, 4))
        applicationIdentifier = Int32(bitPattern: number(68, 4))
    }
}
