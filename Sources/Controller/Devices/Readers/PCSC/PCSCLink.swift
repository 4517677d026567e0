import Threads

/// The link of one presentation over PC/SC. It is dead when the presentation ends, when its
/// deadline has passed, or when it was invalidated: a call that is still with the driver then
/// gives its late answer to nobody.
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
