import Files
import Glibc
import Threads

/// Reads a file whole.
package enum FileText {
    package static func read(_ path: String, limit: Int) throws(FileReadError) -> [UInt8] {
        do throws(SystemError) {
            return try SmallFile.read(path, limit: limit)
        } catch {
            throw error.number == EFBIG ? .tooLong(limit: limit) : .failed(reason: SystemError.words(for: error.number))
        }
    }
}
