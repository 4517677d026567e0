import Threads

/// A card or phone on the virtual reader (vpcd): it says when it is put on and taken away, and
/// answers command APDUs with a closure. Also plays the ways in which a phone can go wrong.
public final class VirtualCard: Sendable {
    /// What Android's card emulation shows.
    public static let phoneAnswerToReset: [UInt8] = [0x3B, 0x80, 0x80, 0x01, 0x01]
    /// Where vpcd's first slot listens; the second one is the next.
    public static let defaultPort: UInt16 = 35963

    /// One command APDU in, one response APDU out, on the card's own thread.
    public typealias Handler = @Sendable (_ command: [UInt8]) -> [UInt8]

    private let port: UInt16
    private let answerToReset: [UInt8]
    private let misbehaviour: CardMisbehaviour?
    private let onEvent: @Sendable (CardEvent) -> Void
    private let handler: Handler
    private let insertion = Mutex<CardInsertion?>(nil)

    /// `onEvent` is called on the card's own thread.
    public init(
        port: UInt16 = VirtualCard.defaultPort, answerToReset: [UInt8] = VirtualCard.phoneAnswerToReset,
        misbehaviour: CardMisbehaviour? = nil, onEvent: @escaping @Sendable (CardEvent) -> Void = { _ in },
        handler: @escaping Handler
    ) {
        self.port = port
        self.answerToReset = answerToReset
        self.misbehaviour = misbehaviour
        self.onEvent = onEvent
        self.handler = handler
    }

    deinit {
        remove()
    }

    /// Puts the card on the reader. The reader notices within 400 ms. A card that left by itself
    /// may be inserted again.
    public func insert() throws(VirtualCardError) {
        try insertion.withLock { insertion throws(VirtualCardError) in
            if let last = insertion {
                guard last.isOver else { throw .alreadyInserted }
                last.end()
            }
            insertion = nil
            let conversation = CardConversation(
                socket: try CardSocket(port: port), answerToReset: answerToReset, misbehaviour: misbehaviour,
                onEvent: onEvent, handler: handler)
            insertion = try CardInsertion(conversation)
        }
    }

    /// Takes the card away, whatever it is doing, and waits until its thread has ended. Not to be
    /// called from the handler.
    public func remove() {
        let last = insertion.withLock { insertion in
            defer { insertion = nil }
            return insertion
        }
        last?.end()
    }

    /// True from `insert` until `remove`, or until the card left by itself or the reader went away.
    public var isInserted: Bool {
        insertion.withLock { $0.map { !$0.isOver } ?? false }
    }

    /// Waits until the card is off the reader, for whatever reason.
    public func waitUntilGone() {
        insertion.withLock(\.self)?.waitUntilOver()
    }
}

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

/// What is said during one insertion, on the card's own thread.
struct CardConversation: Sendable {
    let socket: CardSocket
    let answerToReset: [UInt8]
    let misbehaviour: CardMisbehaviour?
    let onEvent: @Sendable (CardEvent) -> Void
    let handler: VirtualCard.Handler

    /// Returns when the card is off the reader.
    func run() {
        defer { onEvent(.gone) }
        var commands = 0
        while let message = nextMessage() {
            switch message {
            case .powerOn: onEvent(.powered)
            case .powerOff, .reset: onEvent(.reset)
            case .answerToResetWanted:
                guard send(answerToReset) else { return }
            case .command(let command):
                commands += 1
                onEvent(.command(command))
                guard answer(command, number: commands) else { return }
                onEvent(.answered)
            }
        }
    }

    private func nextMessage() -> ReaderMessage? {
        guard let header = socket.receive(ReaderMessage.lengthBytes),
            let body = socket.receive(ReaderMessage.length(header))
        else { return nil }
        return ReaderMessage(body: body)
    }

    /// False when the card leaves.
    private func answer(_ command: [UInt8], number: Int) -> Bool {
        switch misbehaviour {
        case .silent(number, let milliseconds):
            _ = socket.wait(milliseconds: milliseconds)
            return false
        case .leaves(number): return false
        case .leavesAfter(number):
            _ = send(handler(command))
            return false
        case .late(number, let milliseconds):
            return socket.wait(milliseconds: milliseconds) && send(handler(command))
        case .silent, .leaves, .leavesAfter, .late, nil: return send(handler(command))
        }
    }

    private func send(_ body: [UInt8]) -> Bool {
        ReaderMessage.framed(body).map(socket.send) ?? false
    }
}
