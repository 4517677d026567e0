import Cryptography
import Encoding
import Files
import Glibc

extension TUFRepository {
    /// `people/HASH.full`: the name under which a server or a stick has a target.
    package static func fileName(of path: String, _ bytes: [UInt8]) -> String { fileName(of: path, hash: SHA256.hash(bytes)) }

    package static func fileName(of path: String, hash: [UInt8]) -> String {
        let parts = path.split(separator: "/", maxSplits: 1)
        return "\(parts[0])/\(Hex.encode(hash)).\(parts[1])"
    }

    /// Writes it as a stick has it. What else lies there stays.
    package func write(to folder: String) throws {
        for name in ["", "/metadata", "/targets", "/targets/people", "/targets/site"] { mkdir(folder + name, 0o700) }
        for (name, bytes) in files { try Self.write(bytes, "\(folder)/metadata/\(name)") }
        for (path, bytes) in targets { try Self.write(bytes, "\(folder)/targets/\(Self.fileName(of: path, bytes))") }
    }

    /// No disk need be waited for.
    private static func write(_ bytes: [UInt8], _ path: String) throws {
        try FileDescriptor(path: path, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600).write(bytes)
    }
}
