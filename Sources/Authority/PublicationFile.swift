import Files
import Glibc
import Service
import Threads
import TrustSync

/// A publication on its way to the disk: the body goes to a file without a name while records are
/// added, then manifest and body go to a file beside the wanted one, which takes its place at the end.
final class PublicationFile {
    private let path: String
    private let body: FileDescriptor
    private(set) var writer = PublicationWriter()
    /// What was added.
    private(set) var counts = PublicationCounts()
    /// Holds the records against one another, as gates will.
    private var admission = RecordAdmission(siteKey: nil)
    private var length: UInt64 = 0
    private var pending: [UInt8] = []

    /// Bytes collected before they are written.
    private static let pieceLength = 1 << 18
    private static let mode: mode_t = 0o644

    /// - Parameter path: the file to make or replace.
    init(replacing path: String) throws(AuthorityError) {
        self.path = path
        body = try Self.withoutName(path + ".body")
    }

    /// Nothing of a file without a name is left behind, whatever happens.
    private static func withoutName(_ name: String) throws(AuthorityError) -> FileDescriptor {
        do throws(SystemError) {
            let file = try FileDescriptor(path: name, flags: O_RDWR | O_CREAT | O_TRUNC, mode: 0o600)
            unlink(name)
            return file
        } catch {
            throw .system(error)
        }
    }

    /// - Throws: `publication` for what gates refuse: an older version took some names.
    func add(_ record: PublicationRecord) throws(AuthorityError) {
        let encoded = writer.add(record)
        do throws(PublicationError) {
            guard encoded.count <= SitePublication.longestRecord else { throw .recordTooLong(offset: length) }
            try admission.admit(record, length: encoded.count)
        } catch {
            throw .publication(error)
        }
        length += UInt64(encoded.count)
        pending += encoded
        counts.count(record)
        if pending.count >= Self.pieceLength { try writePending() }
    }

    /// Puts the file in place, durable.
    /// - Returns: its length in bytes.
    func finish(manifest: [UInt8]) throws(AuthorityError) -> Int {
        try writePending()
        let fresh = path + ".new"
        do throws(SystemError) {
            let length = try writeWhole(manifest, to: fresh)
            guard rename(fresh, path) == 0 else { throw SystemError("rename \(fresh)", errno) }
            try SmallFile.synchroniseFolder(of: path)
            return length
        } catch {
            unlink(fresh)
            throw .system(error)
        }
    }

    private func writeWhole(_ manifest: [UInt8], to name: String) throws(SystemError) -> Int {
        let whole = try FileDescriptor(path: name, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: Self.mode)
        try whole.write(manifest)
        guard lseek(body.raw, 0, SEEK_SET) == 0 else { throw SystemError("rewind \(path).body", errno) }
        var length = manifest.count
        while true {
            let piece = try body.read(upTo: Self.pieceLength)
            if piece.isEmpty { break }
            try whole.write(piece)
            length += piece.count
        }
        try whole.sync()
        return length
    }

    private func writePending() throws(AuthorityError) {
        do throws(SystemError) { try body.write(pending) } catch { throw .system(error) }
        pending.removeAll(keepingCapacity: true)
    }
}
