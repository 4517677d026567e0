/// What a phone in express mode has heard so far.
struct ExpressAttention {
    let mode: ExpressMode
    private var count = 0
    private var offSince: Int64?

    init(mode: ExpressMode) { self.mode = mode }

    var isAwake: Bool { count >= mode.frames }

    mutating func field(isOn: Bool, at time: Int64) {
        guard isOn else { return offSince = offSince ?? time }
        if let offSince, time - offSince > ExpressMode.graceNanoseconds { count = 0 }
        offSince = nil
    }

    mutating func heard(_ frame: [UInt8]) {
        if mode.isMeant(by: frame) { count += 1 }
    }
}
