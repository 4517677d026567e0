import CPCSC
import Threads

/// An open connection to a card, or to a reader itself.
struct PCSCCard: Sendable {
    /// What becomes of the card when the connection ends.
    enum Farewell {
        /// It stays as it is. Never unpowered: libpcsclite 1.9.9 stalls the watch of all readers
        /// for 0.4 s at a time while a card is present without power.
        case leave
        /// It starts anew. Only in `PCSCContext.startAnew`: where it has gone meanwhile, pcscd contradicts itself.
        case reset
    }

    /// The status word (ISO/IEC 7816-4, 5.1).
    private static let shortestResponse = 2

    let handle: SCARDHANDLE
    let activeProtocol: UInt32

    /// One command, one response. Blocks until the driver answers or gives up; cannot be cancelled.
    func transmit(_ command: [UInt8]) throws(PCSCError) -> [UInt8] {
        let (result, response) = withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: Int(CPCSC_LONGEST_ANSWER)
        ) { buffer in
            var length = buffer.count
            let result = Loop.outside(.pcsc) {
                cpcsc_transmit(handle, activeProtocol, command, command.count, buffer.baseAddress, &length)
            }
            return (result, result == 0 ? Array(buffer.prefix(length)) : [])
        }
        guard result == 0 else { throw PCSCError(number: result) }
        // A driver may report success and no bytes when the card is taken away (vpcd does).
        guard response.count >= Self.shortestResponse else { throw .notTransacted }
        return response
    }

    /// An attribute of the reader; nil when the driver does not know it.
    func attribute(_ identifier: UInt32) -> [UInt8]? {
        var length = DWORD(MAX_BUFFER_SIZE)
        var value = [UInt8](repeating: 0, count: Int(length))
        guard Loop.outside(.pcsc, { SCardGetAttrib(handle, DWORD(identifier), &value, &length) }) == 0 else { return nil }
        return Array(value.prefix(Int(length)))
    }

    func disconnect(_ farewell: Farewell) {
        let disposition =
            switch farewell {
            case .leave: SCARD_LEAVE_CARD
            case .reset: SCARD_RESET_CARD
            }
        _ = Loop.outside(.pcsc) { SCardDisconnect(handle, DWORD(disposition)) }
    }
}

/// The link of one presentation over PC/SC. It is dead when the presentation ends, when its
/// deadline has passed, or when it was invalidated: a call that is still with the driver then
/// gives its late answer to nobody.
///
/// The reader's thread transmits and closes, whoever stops invalidates. `life` guards until when it lives; the lock of the room may be held
/// around it, and nothing is called under it.
final class PCSCLink: Link {
    private struct Life {
        var deadline: Int64?
        var hasEnded = false

        func isOpen(at now: Int64) -> Bool {
            !hasEnded && deadline.map { now < $0 } ?? true
        }
    }

    private let card: PCSCCard
    private let life = Mutex(Life())
    private let onActivity: @Sendable (ReaderActivity) -> Void

    let mayBeTheSame: Bool

    init(card: PCSCCard, mayBeTheSame: Bool, onActivity: @escaping @Sendable (ReaderActivity) -> Void) {
        self.card = card
        self.mayBeTheSame = mayBeTheSame
        self.onActivity = onActivity
    }

    func transmit(_ command: [UInt8]) throws(LinkError) -> [UInt8] {
        let before = MonotonicTime.milliseconds
        guard isOpen(at: before) else { throw .timedOut }
        onActivity(.transmitting(since: before))
        let answer = Result { () throws(PCSCError) in try card.transmit(command) }
        let after = MonotonicTime.milliseconds
        onActivity(.conversing(since: after))
        guard isOpen(at: after) else { throw .timedOut }
        switch answer {
        case .success(let response): return response
        case .failure(let error): throw LinkError(error)
        }
    }

    func close(atMonotonicMilliseconds deadline: Int64) {
        life.withLock { $0.deadline = min($0.deadline ?? deadline, deadline) }
    }

    func invalidate() {
        life.withLock { $0.hasEnded = true }
    }

    private func isOpen(at now: Int64) -> Bool {
        life.withLock { $0.isOpen(at: now) }
    }
}
