import ControlProtocol
import Files
import Glibc

/// A file that was not there before: what is there is never written over.
enum NewFile {
    /// - Throws: `file-exists`; what the system refuses.
    static func write(_ bytes: [UInt8], to path: String, mode: UInt32) throws {
        guard access(path, F_OK) != 0 else {
            throw ControlError(code: "file-exists", message: "There is \(path) already; it is left as it is. Name another with --out.")
        }
        try SmallFile.replace(path, with: bytes, mode: mode)
    }
}
