import Files
import Glibc
import VirtualPhone

/// From the end of a fault to the next good phone that is let in. Each fault is there until the gate has noticed it.
struct ChipRecoveryBenchmark {
    let stand: ChipStand
    let servers: NFCProgram.Servers
    let device: String
    let report: Report

    private static let bar = 5.0

    /// What a chip does wrong with nobody there.
    private static let atRest: [(String, PN532Misbehaviour)] = [
        ("silent", PN532Misbehaviour(.silent)),
        ("no-acknowledge", PN532Misbehaviour(.noAcknowledge)),
        ("acknowledge-only", PN532Misbehaviour(.acknowledgeOnly)),
        ("garbage", PN532Misbehaviour(.garbage([0x00, 0xFF, 0x00, 0xFF, 0x55]))),
        ("wrong-checksum", PN532Misbehaviour(.wrongDataChecksum)),
        ("oversized", PN532Misbehaviour(.oversized(by: 300))),
        ("endless", PN532Misbehaviour(.endless(0x55))),
        ("status-80", PN532Misbehaviour(.status(0x80), at: .communicateThrough))
    ]

    /// And with a phone.
    private static let underAPhone: [(String, PN532Misbehaviour)] = [
        ("tap-silent", PN532Misbehaviour(.silent, at: .exchangeData, after: 1)),
        ("tap-status-80", PN532Misbehaviour(.status(0x80), at: .exchangeData)),
        ("tap-wrong-checksum", PN532Misbehaviour(.wrongDataChecksum, at: .exchangeData)),
        ("tap-ats-length-0", PN532Misbehaviour(.selectLength(0), at: .listPassiveTarget)),
        ("tap-uid-length-255", PN532Misbehaviour(.identifierLength(255), at: .listPassiveTarget))
    ]

    func run() throws {
        let atRest = Self.atRest.prefix(report.extent.of(Self.atRest.count, short: 1))
        let underAPhone = Self.underAPhone.prefix(report.extent.of(Self.underAPhone.count, short: 1))
        report.note("a PN532 fails in \(atRest.count + underAPhone.count + 3) ways")
        for (name, fault) in atRest {
            try measure(name, begin: { stand.chip.misbehave(fault) }, end: { stand.chip.behave() })
        }
        for (name, fault) in underAPhone { try measureUnderAPhone(name, fault) }
        try measure("unplugged", begin: { stand.chip.unplug() }, end: { try stand.chip.plugIn() })
        try measure("killed", begin: { servers.kill() }, end: {})
        try measureHeldPort()
    }

    private func measure(_ name: String, begin: () throws -> Void, end: () throws -> Void) throws {
        stand.state.withLock { ($0.taps, $0.refused) = ([], 0) }
        try begin()
        try waitUntilNoticed()
        try end()
        try record(name, since: Clock.now)
    }

    /// The phone is taken away with the fault: the next one is another.
    private func measureUnderAPhone(_ name: String, _ fault: PN532Misbehaviour) throws {
        stand.state.withLock { ($0.taps, $0.refused) = ([], 0) }
        stand.chip.misbehave(fault)
        stand.present()
        try waitUntilNoticed()
        stand.chip.behave()
        let ended = Clock.now
        try stand.clear()
        try record(name, since: ended)
    }

    /// Told of the reader, or of the phone. Phones that lie about their number, or are lied about, may pass all the same: it proves nothing.
    private func waitUntilNoticed() throws {
        try stand.wait("the fault is noticed") { state in
            state.refused > 0 || !state.taps.isEmpty || state.reader.map { !$0.isInService } ?? false ? () : nil
        }
    }

    /// Another program has locked the port before the next of ours came.
    private func measureHeldPort() throws {
        servers.holdUp()
        servers.kill()
        var port: FileDescriptor? = try FileDescriptor(path: device, flags: O_RDWR | O_NOCTTY | O_NONBLOCK)
        // The kernel gives back a lock when the process that had it is gone.
        let deadline = Clock.now + Patience.step
        while try port?.lock() != true {
            guard Clock.now < deadline else { throw BenchError("the port of a program that was killed stays locked") }
            Clock.pause(milliseconds: 1)
        }
        servers.goOn()
        try stand.wait("the port is held") { state in
            if case .failed? = state.reader { () } else { nil }
        }
        port = nil
        try record("port-held", since: Clock.now)
    }

    private func record(_ name: String, since ended: Int64) throws {
        stand.state.withLock { ($0.taps, $0.refused) = ([], 0) }
        stand.present()
        try stand.wait("a good phone") { $0.taps.isEmpty ? nil : () }
        report.add("chip-back-after-\(name)", Double(Clock.now - ended) / 1e9, "s", bar: Self.bar)
        try stand.clear()
    }
}
