import ControlProtocol
import Files
import Glibc
import Threads

/// A file that was not there before: what is there is never written over.
enum NewFile {
    /// - Throws: `file-exists`; what the system refuses.
    static func write(_ bytes: [UInt8], to path: String, mode: UInt32) throws {
        do throws(SystemError) {
            try SmallFile.make(path, bytes, mode: mode)
        } catch {
            guard error.number == EEXIST else { throw error }
            throw ControlError(code: "file-exists", message: "There is \(path) already; it is left as it is. Name another with --out.")
        }
    }
}
