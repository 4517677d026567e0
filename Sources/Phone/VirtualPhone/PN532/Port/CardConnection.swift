import CLinux
import Glibc
import Threads

/// One card of another process that lies on a virtual PN532. It speaks as it would to pcscd's virtual reader.
final class CardConnection: Sendable {
    private let socket: CardSocket
    private let isMute = Mutex(false)

    /// A chip waits for a phone 1.64 s at most where readers set it so; this is a little longer. The chip says nothing meanwhile.
    private static let patienceMilliseconds = 1_700

    init(owning descriptor: Int32) { socket = CardSocket(owning: descriptor) }

    /// nil when it does not answer in time; it is never asked again then, for its answer may come late.
    func ask(_ command: [UInt8]) -> CardAnswer? {
        guard !isMute.withLock(\.self), let message = ReaderMessage.framed(command) else { return nil }
        let begun = MonotonicTime.nanoseconds
        guard socket.send(message), socket.isReadable(within: Self.patienceMilliseconds), let header = socket.receive(ReaderMessage.lengthBytes),
              let answer = socket.receive(ReaderMessage.length(header))
        else {
            isMute.withLock { $0 = true }
            return nil
        }
        return CardAnswer(answer, nanoseconds: MonotonicTime.nanoseconds - begun)
    }

    func say(_ message: ReaderMessage) {
        _ = ReaderMessage.framed(message.body).map(socket.send)
    }

    func waitUntilGone() { _ = socket.wait(milliseconds: nil) }

    func hangUp() { socket.hangUp() }
}
