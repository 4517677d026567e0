import Glibc
import Threads

/// Reads a file whole.
enum FileText {
    static func read(_ path: String, limit: Int) throws(FileReadError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure() }
        defer { _ = close(descriptor) }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count == 0 { return content }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure()
            }
            guard content.count + count <= limit else { throw .tooLong(limit: limit) }
            content += piece[..<count]
        }
    }

    private static func failure() -> FileReadError {
        .failed(reason: SystemError.words(for: errno))
    }
}
