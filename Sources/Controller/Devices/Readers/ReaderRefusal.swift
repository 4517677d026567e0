/// PC/SC runs, and does not let us use a reader. Kept until it does.
struct ReaderRefusal: Equatable {
    /// What it said last.
    let error: PCSCError
    /// Since when, in monotonic milliseconds.
    let since: Int64
    /// A refusal that is over sooner is nobody's concern.
    let graceMilliseconds: Int64

    /// Whether it has lasted long enough to be a fault.
    func isFault(at now: Int64) -> Bool { now - since >= graceMilliseconds }
}

extension ReaderRefusal? {
    /// pcscd gives the reader's thread no context. The watcher sees first, and says, that pcscd itself is gone.
    mutating func contextRefused(_ error: PCSCError, at now: Int64) {
        refused(error, graceMilliseconds: 2_000, at: now)
    }

    /// The card, or the reader, could not be connected to. A program that asks the reader for a moment is no
    /// fault; pcscd that lets us not in is one at once.
    mutating func connectionRefused(_ error: PCSCError, at now: Int64) {
        refused(error, graceMilliseconds: error.kind == .denied ? 0 : 400, at: now)
    }

    private mutating func refused(_ error: PCSCError, graceMilliseconds: Int64, at now: Int64) {
        // pcscd may say it now with one number and now with another.
        self = ReaderRefusal(error: error, since: self?.since ?? now, graceMilliseconds: graceMilliseconds)
    }
}
