import CLinux
import Glibc
import Synchronization

/// The thread of one insertion.
final class CardInsertion: Sendable {
    private final class Body: Sendable {
        let conversation: CardConversation
        let over: CardEnd

        init(_ conversation: CardConversation, _ over: CardEnd) {
            self.conversation = conversation
            self.over = over
        }
    }

    private let socket: CardSocket
    private let over: CardEnd
    /// The thread's handle as a number, 0 once it was joined: Swift 6.0 lets no pointer out of a mutex.
    private let thread: Mutex<UInt>

    private static let stackBytes = 1 << 20

    init(_ conversation: CardConversation) throws(VirtualCardError) {
        self.socket = conversation.socket
        self.over = CardEnd()
        let body = Unmanaged.passRetained(Body(conversation, over))
        var error: Int32 = 0
        let started = clinux_thread_start(
            "virtual-card", Self.stackBytes,
            { context in
                guard let context else { return }
                let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                body.conversation.run()
                // The reader sees the card leave only when the connection ends.
                body.conversation.socket.hangUp()
                body.over.raise()
            },
            body.toOpaque(), &error)
        guard let started else {
            body.release()
            throw .failed(doing: "Starting the card's thread", errno: -error)
        }
        self.thread = Mutex(UInt(bitPattern: started))
    }

    var isOver: Bool { over.isRaised }

    func waitUntilOver() {
        over.wait()
    }

    /// Takes the card away and waits for its thread.
    func end() {
        socket.hangUp()
        let started = thread.withLock { thread in
            defer { thread = 0 }
            return thread
        }
        if let started = OpaquePointer(bitPattern: started) { clinux_thread_join(started) }
    }
}
