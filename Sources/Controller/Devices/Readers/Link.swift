/// A way to one phone or card that is in a reader's field now. `transmit` belongs to the thread
/// that was given the link; the other two may be called from any thread.
public protocol Link: AnyObject, Sendable {
    /// Sends one command APDU and waits for the response APDU.
    ///
    /// Throws `.timedOut` once the deadline has passed or `invalidate` was called, also when the
    /// answer did arrive, but too late: a late answer is never used.
    func transmit(_ command: [UInt8]) throws(LinkError) -> [UInt8]

    /// Sets the deadline, in monotonic milliseconds. An earlier one already set stays.
    func close(atMonotonicMilliseconds deadline: Int64)

    /// Ends the link now: this and every later `transmit` throws `.timedOut`.
    func invalidate()

    /// Whether the phone came so soon after one that had its result at this reader that it may be that one, lifted a little (T9).
    var mayBeTheSame: Bool { get }
}

extension Link {
    public var mayBeTheSame: Bool { false }
}
