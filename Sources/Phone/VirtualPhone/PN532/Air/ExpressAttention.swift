/// What a phone in express mode has heard so far.
struct ExpressAttention {
    let mode: ExpressMode
    private var count = 0
    /// Since the last of these frames.
    private var requests = 0
    private var offSince: Int64?

    init(mode: ExpressMode) { self.mode = mode }

    mutating func field(isOn: Bool, at time: Int64) {
        guard isOn else { return offSince = offSince ?? time }
        if let offSince, time - offSince > ExpressMode.graceNanoseconds { count = 0 }
        offSince = nil
    }

    mutating func heard(_ frame: [UInt8]) {
        guard mode.isMeant(by: frame) else { return }
        count += 1
        requests = 0
    }

    /// REQA or WUPA. True when the phone answers it. Between two frames that name it there may be one only: a reader that asks
    /// again and again is taken for another kind (found by others: readers must not repeat their request).
    mutating func answersRequest() -> Bool {
        requests += 1
        if requests > 1 { count = 0 }
        return count >= mode.frames
    }
}
