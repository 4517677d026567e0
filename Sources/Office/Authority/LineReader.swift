import Files
import Glibc
import Service
import Threads

/// Reads a file line by line, however long it is. Lines that are empty or only white space are skipped, and a byte order mark before the first.
final class LineReader {
    private let file: FileDescriptor
    private let path: String
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    /// The number of the line that `next` gave last, counted from 1.
    private(set) var number = 0

    /// In bytes. The longest entry that makes sense has less than half of it.
    static let longestLine = 16384
    private static let pieceLength = 65536
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let longest: Int

    /// Opens the file; "-" is standard input.
    /// - Parameter longest: the bytes that a line may have.
    init(path: String, longest: Int = LineReader.longestLine) throws(AuthorityError) {
        self.path = path
        self.longest = longest
        file = try Self.open(path)
    }

    private static func open(_ path: String) throws(AuthorityError) -> FileDescriptor {
        do throws(SystemError) {
            guard path == "-" else { return try FileDescriptor.reading(path) }
            let copy = dup(STDIN_FILENO)
            guard copy >= 0 else { throw SystemError("read standard input", errno) }
            return FileDescriptor(owning: copy, path: path)
        } catch {
            throw .system(error)
        }
    }

    /// The next line without its end; nil after the last.
    func next() throws(AuthorityError) -> [UInt8]? {
        while var line = try nextOfAnyKind() {
            number += 1
            if number == 1, line.starts(with: Self.byteOrderMark) { line.removeFirst(Self.byteOrderMark.count) }
            if line.contains(where: { $0 > 0x20 }) { return line }
        }
        return nil
    }

    private func nextOfAnyKind() throws(AuthorityError) -> [UInt8]? {
        var searched = position
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) { return try read(upTo: end, andSkip: 1) }
            if isAtEnd { return position < buffer.count ? try read(upTo: buffer.count, andSkip: 0) : nil }
            try check(length: buffer.count - position)
            buffer.removeFirst(position)
            position = 0
            searched = buffer.count
            try readPiece()
        }
    }

    private func read(upTo end: Int, andSkip skipped: Int) throws(AuthorityError) -> [UInt8] {
        try check(length: end - position)
        defer { position = end + skipped }
        return Array(buffer[position..<end])
    }

    private func check(length: Int) throws(AuthorityError) {
        guard length <= longest else {
            throw .line(number + 1, code: "line-too-long", message: "It has more than \(longest) bytes.")
        }
    }

    private func readPiece() throws(AuthorityError) {
        do throws(SystemError) {
            let piece = try file.read(upTo: Self.pieceLength)
            isAtEnd = piece.isEmpty
            buffer += piece
        } catch {
            throw .system(error)
        }
    }
}
