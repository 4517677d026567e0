import CLinux
import ControlProtocol
import Encoding
import Files
import Glibc
import Threads

/// The two directions to whoever fetches: a socket, or a pipe each way. Nobody ever waits here.
final class FetchWire: FetchSink {
    /// So much may wait to be read. More comes from the network only when it has gone.
    static let mostWaiting = 262_144

    let input: FileDescriptor
    let output: FileDescriptor
    private var waiting: [UInt8] = []
    private var written = 0
    private var failure: FetchEnd?
    private var piece = [UInt8](repeating: 0, count: 8192)

    /// - Parameters:
    ///   - input: where orders come from.
    ///   - output: where reports go; may be the same.
    init(input: FileDescriptor, output: FileDescriptor) throws(SystemError) {
        (self.input, self.output) = (input, output)
        for descriptor in [input, output] {
            let flags = fcntl(descriptor.raw, F_GETFL)
            guard flags >= 0, fcntl(descriptor.raw, F_SETFL, flags | O_NONBLOCK) == 0 else {
                throw SystemError("set the flags of a connection", errno)
            }
        }
    }

    var hasRoom: Bool { waiting.count - written < Self.mostWaiting }

    /// Whether something waits until the other side reads.
    var isWaiting: Bool { written < waiting.count }

    func send(_ report: FetchReport) {
        waiting += FetchFrame.report(report).bytes
        flush()
    }

    /// Writes what the other side takes now.
    func flush() {
        while failure == nil, isWaiting {
            let count = waiting.withUnsafeBytes { all in
                clinux_write(output.raw, all.baseAddress.map { $0 + written }, all.count - written)
            }
            if count == -Int(EAGAIN) { break }
            guard count > 0 else {
                failure = count == -Int(EPIPE) || count == -Int(ECONNRESET) ? .closed : .system(SystemError("write to the other side", Int32(count)))
                break
            }
            written += count
        }
        forgetWritten()
    }

    private func forgetWritten() {
        guard written == waiting.count || written >= Self.mostWaiting else { return }
        waiting.removeFirst(written)
        written = 0
    }

    /// What has come; empty when nothing has.
    /// - Throws: when nothing more will, or nothing more can be written.
    func receive() throws(FetchEnd) -> ArraySlice<UInt8> {
        if let failure { throw failure }
        let count = clinux_read(input.raw, &piece, piece.count)
        if count == -Int(EAGAIN) { return [] }
        guard count >= 0 || count == -Int(ECONNRESET) else { throw .system(SystemError("read from the other side", Int32(count))) }
        guard count > 0 else { throw .closed }
        return piece[..<count]
    }
}

/// Why a connection of whoever fetches has ended.
public enum FetchEnd: Error, Hashable, Sendable {
    /// The other side hung up.
    case closed
    /// A signal asked for it.
    case asked
    /// The other side said what is no frame.
    case broken(FrameError)
    /// It said what it has no right to say, or not then.
    case unexpected
    /// libcurl cannot be had.
    case noLibrary
    /// The system would not go on.
    case system(SystemError)

    /// Stable, for operators to search for; nil where nothing is wrong.
    public var code: String? {
        switch self {
        case .closed, .asked: nil
        case .broken, .unexpected: "fetcher-protocol"
        case .noLibrary: "net-no-memory"
        case .system(let error): error.code
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .closed: "The other side has hung up."
        case .asked: "It was asked to end."
        case .broken(let error): error.message
        case .unexpected: "The other side said something out of its turn."
        case .noLibrary: "There is no memory for libcurl."
        case .system(let error): error.message
        }
    }
}
