import Glibc
import Service

/// A file that is written piece by piece, in large steps.
final class OutputFile {
    private let descriptor: Int32
    private let path: String
    private var waiting: [UInt8] = []
    private static let step = 1 << 20

    init(_ path: String) throws(BenchError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BenchError("cannot write \(path)") }
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8]) throws(BenchError) {
        waiting += bytes
        if waiting.count >= Self.step { try flush() }
    }

    /// Writes what waits.
    func flush() throws(BenchError) {
        var offset = 0
        while offset < waiting.count {
            let count = waiting[offset...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw BenchError("cannot write \(path)") }
            offset += count
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Appends another file from a place on, and waits for the disk: what follows is measured on a quiet one.
    /// - Parameter each: sees every piece.
    func append(fileAt source: String, from offset: Int = 0, each: ([UInt8]) -> Void) throws(BenchError) {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw BenchError("cannot read \(source)") }
        defer { close(input) }
        lseek(input, off_t(offset), SEEK_SET)
        var piece = [UInt8](repeating: 0, count: Self.step)
        while true {
            let count = read(input, &piece, piece.count)
            guard count >= 0 else { throw BenchError("cannot read \(source)") }
            if count == 0 { break }
            each(Array(piece[..<count]))
            try write(Array(piece[..<count]))
        }
        try flush()
        guard fsync(descriptor) == 0 else { throw BenchError("cannot write \(path)") }
    }
}
