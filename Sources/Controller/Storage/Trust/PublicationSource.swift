import Glibc

/// Reads a file of site data from a descriptor of somebody else's, piece by piece, each byte once.
final class PublicationSource {
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
