import Threads

/// The thread of one insertion.
final class CardInsertion: Sendable {
    private let socket: CardSocket
    private let over: Monitor<Bool>
    private let thread: Worker

    /// The handler runs a whole phone, libcrypto included.
    private static let stackBytes = 1 << 20

    init(_ conversation: CardConversation) throws(VirtualCardError) {
        let over = Monitor(false)
        do {
            thread = try Worker(name: "virtual-card", stackBytes: Self.stackBytes) {
                conversation.run()
                // The reader sees the card leave only when the connection ends.
                conversation.socket.hangUp()
                over.change { $0 = true }
            }
        } catch {
            throw .failed(doing: "Starting the card's thread", errno: error.number)
        }
        self.socket = conversation.socket
        self.over = over
    }

    var isOver: Bool { over.withLock(\.self) }

    func waitUntilOver() {
        over.wait { $0 ? () : nil }
    }

    /// Takes the card away and waits for its thread.
    func end() {
        socket.hangUp()
        thread.join()
    }
}
