import Cryptography
import Files
import Glibc
import Service
import Threads

/// A large target on its way into the repository: it is written under a name that nobody looks for, and gets its own, in which
/// its hash stands, when it is whole and on the disk.
final class BundleFile {
    private let folder: RepositoryFolder
    private let file: FileDescriptor?
    private let temporary: String
    private var digest = SHA256Stream()
    private var pending: [UInt8] = []
    private(set) var length = 0

    private static let pieceLength = 1 << 18

    /// - Parameter isRehearsal: nothing is written; length and hash are worked out all the same.
    init(_ name: String, in folder: RepositoryFolder, isRehearsal: Bool) throws(AuthorityError) {
        self.folder = folder
        temporary = folder.targetPath("people/.\(name).new")
        guard !isRehearsal else {
            file = nil
            return
        }
        do throws(SystemError) {
            file = try FileDescriptor(path: temporary, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
        } catch {
            throw .system(error)
        }
    }

    func add(_ bytes: [UInt8]) throws(AuthorityError) {
        digest.update(bytes)
        length += bytes.count
        pending += bytes
        if pending.count >= Self.pieceLength { try writePending() }
    }

    /// Puts the file into its place, durable.
    /// - Parameter path: how metadata calls it: `people/full`.
    func finish(as path: String) throws(AuthorityError) -> SignedPart.File {
        try writePending()
        let done = SignedPart.File(path: path, length: length, hash: digest.finish())
        guard let file else { return done }
        try folder.beforeWriting.body()
        let place = folder.targetPath(done.fileName)
        do throws(SystemError) {
            try file.sync()
            guard rename(temporary, place) == 0 else { throw SystemError("rename \(temporary)", errno) }
            try SmallFile.synchroniseFolder(of: place)
        } catch {
            throw .system(error)
        }
        return done
    }

    private func writePending() throws(AuthorityError) {
        if let file { do throws(SystemError) { try file.write(pending) } catch { throw .system(error) } }
        pending.removeAll(keepingCapacity: true)
    }
}
