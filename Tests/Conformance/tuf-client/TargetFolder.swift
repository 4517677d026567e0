import Cryptography
import Encoding
import Files
import Glibc
import SiteData
import Threads

/// Where targets are put: each in a file of its own, directly in the folder, whatever its path is.
struct TargetFolder {
    private let path: String
    /// Longer names are not everywhere.
    private static let mostNameBytes = 200
    private static let pieceLength = 65_536

    /// A folder that exists.
    init(path: String) { self.path = path }

    /// The file of a target.
    func file(of target: TargetPath) -> String { "\(path)/\(Self.name(of: target))" }

    private static func name(of target: TargetPath) -> String {
        let name = PercentText.encode(target.path.text)
        return name.utf8.count <= mostNameBytes ? name : "sha256-\(Hex.encode(SHA256.hash(Array(target.path.text.utf8))))"
    }

    /// Whether the target is there already, as it was signed.
    func has(_ target: FoundTarget) -> Bool {
        var check = TargetCheck(target)
        // A pipe or a link with its name is not it.
        guard let file = try? FileDescriptor(path: file(of: target.path), flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK), Self.isFile(file) else {
            return false
        }
        do {
            while case let piece = try file.read(upTo: Self.pieceLength), !piece.isEmpty { try check.add(piece) }
            try check.finish()
            return true
        } catch {
            return false
        }
    }

    private static func isFile(_ file: FileDescriptor) -> Bool {
        var status = stat()
        return fstat(file.raw, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Begins the file of a target. It gets its name when it is whole.
    func begin(_ target: TargetPath) throws(SystemError) -> FileReplacement { try FileReplacement(of: file(of: target), mode: 0o644) }
}
