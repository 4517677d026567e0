import VirtualPhone

/// How a PN532 looks for phones while nobody is there: from the field's going on to its going on again.
struct Rhythm {
    /// Milliseconds from one to the next.
    private(set) var cycles = Samples()
    /// Milliseconds for which the field was on.
    private(set) var lit = Samples()
    /// Cycles in which something else was said than one announcement and one request, or in which the field was not off before.
    private(set) var odd = 0
    private var onSince: Int64?
    private var first: Int64?
    private var latest: Int64?
    private var isOn = false
    private var said: [AirFrame] = []

    init(_ records: [AirRecord] = []) {
        for record in records { add(record) }
    }

    /// Drifting, or not: late cycles may be made good by early ones.
    var meanMilliseconds: Double {
        guard let first, let latest, cycles.count > 0 else { return 0 }
        return Double(latest - first) / 1e6 / Double(cycles.count)
    }

    mutating func add(_ record: AirRecord) {
        switch record.event {
        case .fieldOn: begins(at: record.time)
        case .fieldOff: ends(at: record.time)
        case .sent(let frame): said.append(frame)
        case .answered: odd += 1
        }
    }

    private mutating func begins(at time: Int64) {
        if isOn { odd += 1 }
        if let onSince { cycles.add(Double(time - onSince) / 1e6) }
        first = first ?? time
        (onSince, latest, isOn, said) = (time, time, true, [])
    }

    private mutating func ends(at time: Int64) {
        guard isOn, let onSince else { return }
        isOn = false
        lit.add(Double(time - onSince) / 1e6)
        if said.map(\.lastBits) != [0, 7] || said[0].bytes.first != 0x6A || said[1].bytes != [0x26] { odd += 1 }
    }
}
