import Files
import Glibc
import Threads

/// A configuration file that cannot be read.
package enum FileReadError: Error, Hashable, Sendable {
    /// The operating system says why.
    case failed(reason: String)
    case tooLong(limit: Int)

    package var code: String {
        switch self {
        case .failed: "file-unreadable"
        case .tooLong: "file-too-long"
        }
    }

    package var message: String {
        switch self {
        case .failed(let reason): "The file cannot be read: \(reason)."
        case .tooLong(let limit): "The file is longer than \(limit) bytes."
        }
    }
}

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
