import Files
import Glibc
import Service
import Threads
import TrustSync

/// A publication on its way to the disk: the body goes to a file without a name while records are
/// added, then manifest and body go to the file that takes the place of the wanted one.
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
    private static let mode: UInt32 = 0o644

    /// - Parameter path: the file to make or replace.
    init(replacing path: String) throws(AuthorityError) {
        self.path = path
        do throws(SystemError) {
            try SmallFile.checkReplaceable(path)
            body = try FileReplacement.withoutName(beside: path)
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
        do throws(SystemError) {
            let whole = try FileReplacement(of: path, mode: Self.mode)
            let length = try write(manifest, to: whole)
            try whole.finish()
            return length
        } catch {
            throw .system(error)
        }
    }

    private func write(_ manifest: [UInt8], to whole: FileReplacement) throws(SystemError) -> Int {
        try whole.write(manifest)
        guard lseek(body.raw, 0, SEEK_SET) == 0 else { throw SystemError("rewind the records of \(path)", errno) }
        var length = manifest.count
        while case let piece = try body.read(upTo: Self.pieceLength), !piece.isEmpty {
            try whole.write(piece)
            length += piece.count
        }
        return length
    }

    private func writePending() throws(AuthorityError) {
        do throws(SystemError) { try body.write(pending) } catch { throw .system(error) }
        pending.removeAll(keepingCapacity: true)
    }
}
