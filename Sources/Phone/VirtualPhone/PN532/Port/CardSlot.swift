import CLinux
import Glibc
import Threads

/// The way by which cards and phones of other processes come to a virtual PN532: a port on this machine at which they are put on
/// as at the virtual reader of pcscd, one at a time. A card is in the field as long as its connection stands.
public final class CardSlot: Sendable {
    private let listener: Int32
    private let card: AirCard
    private let state = Mutex(State())
    /// The port at which it listens.
    public let port: UInt16

    private struct State: Sendable {
        var connection: CardConnection?
        var isStopping = false
    }

    /// - Parameters:
    ///   - port: where to listen on this machine; 0 takes any that is free.
    ///   - card: what each of them shows at the air interface.
    public init(port: UInt16 = 0, card: AirCard = .phone) throws(SystemError) {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw SystemError("open a socket", errno) }
        self.card = card
        guard let bound = Self.listen(listener, port) else {
            let reason = errno
            close(listener)
            throw SystemError("listen on port \(port)", reason)
        }
        self.port = bound
    }

    deinit { close(listener) }

    /// Takes cards until `stop`, on the calling thread.
    public func serve(_ chip: VirtualPN532) {
        while let connection = accept() {
            chip.present(AirPhone(card) { command in connection.ask(command) })
            connection.waitUntilGone()
            state.withLock { $0.connection = nil }
            chip.remove()
        }
    }

    /// What the reader does to the card, for the card to hear.
    @Sendable public func handle(_ event: CardEvent) {
        let connection = state.withLock(\.connection)
        switch event {
        case .powered: connection?.send(.powerOn)
        case .reset: connection?.send(.reset)
        case .command, .answered, .gone: break
        }
    }

    /// Takes the card away and accepts no other.
    public func stop() {
        state.withLock { state in
            state.isStopping = true
            state.connection?.hangUp()
        }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func accept() -> CardConnection? {
        while !state.withLock(\.isStopping) {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                return nil
            }
            let connection = CardConnection(owning: descriptor)
            // One that came while it was stopped is not waited for: nobody would hang it up.
            let isWelcome = state.withLock { state in
                state.connection = state.isStopping ? nil : connection
                return !state.isStopping
            }
            return isWelcome ? connection : nil
        }
        return nil
    }

    /// The port it got; nil with errno.
    private static func listen(_ listener: Int32, _ port: UInt16) -> UInt16? {
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in(loopback: port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && Glibc.listen(listener, 1) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        return isBound ? UInt16(bigEndian: address.sin_port) : nil
    }
}

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

    func send(_ message: ReaderMessage) {
        _ = ReaderMessage.framed(message.body).map(socket.send)
    }

    func waitUntilGone() { _ = socket.wait(milliseconds: nil) }

    func hangUp() { socket.hangUp() }
}
