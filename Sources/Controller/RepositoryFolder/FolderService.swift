import CLinux
import ControlProtocol
import Files
import Glibc
import Threads

/// Answers the frames of `tapstile-net fetch` from a folder, such as a stick. Whoever asks makes no difference between the two. A disk that hangs holds up this thread alone.
public final class FolderService {
    private let folder: FileDescriptor
    private let connection: FileDescriptor
    private var reader = FetchFrameReader()
    private var isSetUp = false

    private static let beatMilliseconds: Int32 = 1000

    /// The other side does not keep to the protocol, or has gone.
    private struct Ended: Error {}

    /// - Parameters:
    ///   - folder: an open one.
    ///   - connection: a connected stream socket that blocks.
    public init(folder: FileDescriptor, connection: FileDescriptor) {
        (self.folder, self.connection) = (folder, connection)
    }

    /// Until the connection ends.
    public func run() {
        do throws(Ended) {
            try reply(.beat)
            while true { try goRound() }
        } catch {
            shutdown(connection.raw, Int32(SHUT_RDWR))
        }
    }

    private func goRound() throws(Ended) {
        guard clinux_poll(connection.raw, UInt32(CLINUX_READABLE), Self.beatMilliseconds) != 0 else { return try reply(.beat) }
        guard let received = try? connection.read(upTo: FetchFrameReader.mostBytes), !received.isEmpty else { throw Ended() }
        var bytes = received[...]
        while let order = try order(in: &bytes) { try obey(order) }
    }

    private func order(in bytes: inout ArraySlice<UInt8>) throws(Ended) -> FetchOrder? {
        do {
            guard let frame = try reader.next(from: &bytes) else { return nil }
            if case .order(let order) = frame { return order }
        } catch {}
        throw Ended()
    }

    private func obey(_ order: FetchOrder) throws(Ended) {
        switch order {
        // Nothing stands on the way to a folder.
        case .setUp:
            guard !isSetUp else { throw Ended() }
            isSetUp = true
        case .fetch(let job):
            guard isSetUp else { throw Ended() }
            try serve(job)
        // What was asked for has been answered.
        case .cancel: break
        }
    }

    private func serve(_ job: FetchJob) throws(Ended) {
        let found: FolderFile
        do throws(FolderFile.Failure) {
            found = try FolderFile(in: folder, url: job.url)
        } catch {
            return try refuse(error)
        }
        guard found.size <= job.mostBytes else { return try reply(.failed(FetchFault(.tooManyBytes, "\(found.size) bytes"))) }
        guard job.offset == 0 || job.offset < found.size else {
            try answer(416)
            return try reply(.end)
        }
        try answer(job.offset == 0 ? 200 : 206, length: found.size - job.offset)
        try send(found, from: job.offset)
    }

    private func refuse(_ failure: FolderFile.Failure) throws(Ended) {
        switch failure {
        case .missing:
            try answer(404)
            try reply(.end)
        case .system(let error): try reply(.failed(FetchFault(.other, error.message)))
        }
    }

    private func answer(_ status: Int, length: Int64? = nil) throws(Ended) {
        guard let head = try? FetchHead(status: status, length: length) else { throw Ended() }
        try reply(.head(head))
    }

    /// As many bytes as were announced: a file that changes meanwhile is not whole.
    private func send(_ found: FolderFile, from begin: Int64) throws(Ended) {
        var place = begin
        while place < found.size {
            let count = Int(min(found.size - place, Int64(FetchFrame.mostBodyBytes)))
            let piece: [UInt8]
            do throws(SystemError) {
                piece = try found.file.read(count: count, at: Int(place))
            } catch {
                return try reply(.failed(FetchFault(.other, error.message)))
            }
            guard piece.count == count else { return try reply(.failed(FetchFault(.connectionLost, "the file has become shorter"))) }
            try reply(.bytes(piece))
            place += Int64(count)
        }
        try reply(.end)
    }

    private func reply(_ report: FetchReport) throws(Ended) {
        guard (try? connection.write(FetchFrame.report(report).bytes)) != nil else { throw Ended() }
    }
}
