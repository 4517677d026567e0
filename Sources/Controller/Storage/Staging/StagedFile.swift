import Files
import Glibc
import Threads

/// A file that is being fetched. For one thread.
public final class StagedFile {
    private let path: String
    private let file: FileDescriptor
    /// How many bytes the whole file has.
    public let length: Int64
    /// How many bytes are there: where to go on.
    public private(set) var count: Int64

    /// A part that is longer than the whole file is none of it, and begun anew.
    init(path: String, length: Int64) throws(SystemError) {
        self.path = path
        self.length = length
        file = try FileDescriptor(path: path, flags: O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o640)
        count = Int64(try file.size())
        if count > length { try beginAnew() }
    }

    /// Whether as many bytes are there as there must be. Whether they are the right ones is another matter.
    public var isComplete: Bool { count == length }

    /// Forgets what is there: it is no part of the file, or the server sends all of it.
    public func beginAnew() throws(SystemError) {
        let descriptor = file.raw
        let failure = Loop.outside(.disk) { ftruncate(descriptor, 0) == 0 ? 0 : errno }
        guard failure == 0 else { throw SystemError("shorten \(path)", failure) }
        count = 0
    }

    /// Puts the next bytes behind those that are there.
    public func append(_ bytes: [UInt8]) throws(SystemError) {
        try file.write(bytes, at: Int(count))
        count += Int64(bytes.count)
    }

    /// Hands out all of it from the first byte on, in pieces.
    public func read<Failure: Error>(_ receive: ([UInt8]) throws(Failure) -> Void) throws(Failure) -> SystemError? {
        var offset = 0
        while true {
            let piece: [UInt8]
            do throws(SystemError) {
                piece = try file.read(count: Self.pieceLength, at: offset)
            } catch {
                return error
            }
            guard !piece.isEmpty else { return nil }
            try receive(piece)
            offset += piece.count
        }
    }

    /// Its first bytes, at most so many.
    public func beginning(_ count: Int) throws(SystemError) -> [UInt8] { try file.read(count: count, at: 0) }

    private static let pieceLength = 65_536

    /// The file from its first byte on, for whoever reads it through this descriptor; valid as long as this object lives.
    public func descriptor() throws(SystemError) -> Int32 {
        guard lseek(file.raw, 0, SEEK_SET) == 0 else { throw SystemError("rewind \(path)", errno) }
        return file.raw
    }

    /// It was used, or is not what it should be.
    public func remove() { _ = unlink(path) }
}
