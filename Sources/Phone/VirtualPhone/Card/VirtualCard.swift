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
