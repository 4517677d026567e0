import Cryptography
import Files
import Service
import Threads

/// A large target on its way into the repository: it gets its name, in which its hash stands, when it is whole and on the disk.
final class BundleFile {
    private let folder: RepositoryFolder
    private let file: FileReplacement?
    private var digest = HashStream.sha256
    private var pending: [UInt8] = []
    private(set) var length = 0

    private static let pieceLength = 1 << 18

    /// - Parameter isRehearsal: nothing is written; length and hash are worked out all the same.
    init(_ name: String, in folder: RepositoryFolder, isRehearsal: Bool) throws(AuthorityError) {
        self.folder = folder
        file = try isRehearsal ? nil : folder.replacement(of: "targets/people/\(name)")
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
        do throws(SystemError) { try file.finish(as: String(done.fileName.split(separator: "/").last ?? "")) } catch { throw .system(error) }
        return done
    }

    private func writePending() throws(AuthorityError) {
        if let file { do throws(SystemError) { try file.write(pending) } catch { throw .system(error) } }
        pending.removeAll(keepingCapacity: true)
    }
}
