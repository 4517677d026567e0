/// Two layers of signals: the permanent one says how the lane is, the temporary one what has just
/// happened. The temporary layer covers the permanent one until its time is over (L2).
public struct IndicatorLayers: Equatable, Sendable {
    private var permanent: ShownSignal
    private var temporary: Temporary?

    private struct Temporary: Equatable, Sendable {
        let shown: ShownSignal
        let ends: Instant
    }

    /// Layers that show `permanent` and nothing else.
    public init(permanent: Signal, since: Instant = Instant(milliseconds: 0)) {
        self.permanent = ShownSignal(permanent, since: since)
    }

    /// The signal people see.
    public var shown: Signal { shownSignal.signal }

    /// The signal people see, and where its pattern began.
    public var shownSignal: ShownSignal { temporary?.shown ?? permanent }

    /// When the temporary layer ends, if there is one.
    public var ends: Instant? {
        temporary?.ends
    }

    /// Sets the permanent layer; what covers it stays. A signal that is set already goes on.
    public mutating func setPermanent(_ signal: Signal, since: Instant) {
        guard signal != permanent.signal else { return }
        permanent = ShownSignal(signal, since: since)
    }

    /// Covers the permanent layer with `signal` until `ends`. Shown again, it begins again: a second refusal is a second one.
    public mutating func show(_ signal: Signal, from now: Instant, until ends: Instant) {
        temporary = Temporary(shown: ShownSignal(signal, since: now), ends: ends)
    }

    /// Takes the temporary layer away at once.
    public mutating func endTemporary() {
        temporary = nil
    }

    /// Takes the temporary layer away once it was shown for so many milliseconds.
    public mutating func endTemporary(after display: Int64, at now: Instant) {
        guard let current = temporary else { return }
        let ends = min(current.ends, current.shown.since + display)
        temporary = ends <= now ? nil : Temporary(shown: current.shown, ends: ends)
    }

    /// Takes the temporary layer away once its time is over.
    public mutating func advance(to now: Instant) {
        if let over = temporary?.ends, over <= now { temporary = nil }
    }
}

/// The signal that people see, and since when: that is where its pattern begins.
public struct ShownSignal: Hashable, Sendable {
    public let signal: Signal
    /// When it was set. A permanent signal that was covered for a while goes on where it would be.
    public let since: Instant

    public init(_ signal: Signal, since: Instant) {
        self.signal = signal
        self.since = since
    }
}
