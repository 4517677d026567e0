import VirtualPhone

/// The memory of a gate after many taps over pcscd.
struct EnduranceBenchmark {
    let site: BenchSite
    let programs: TestedPrograms
    let reader: PrivateReader
    /// How many taps; the growth counts from the thousandth on.
    let taps: Int
    let report: Report

    private var settledTaps: Int { report.extent.of(1000, short: 20) }

    func run() throws {
        report.note("memory over \(taps) taps over pcscd")
        let socket = try ReadySocket(path: site.path("notify"))
        let gate = try ChildProcess(
            [programs.bench, "--gate", site.path("gate.toml"), "\(BenchSite.readerName) 00 00"],
            environment: ["NOTIFY_SOCKET": socket.path])
        _ = try socket.waitUntilReady(gate)
        let facts = ProcessFacts(identifier: gate.identifier)
        let crowd = Crowd(site.phones.byValue + site.phones.enrolled)
        let card = VirtualCard(port: reader.port, handler: { crowd.receive($0) })
        try card.insert()
        try crowd.wait(for: settledTaps, gate)
        let settled = facts.resident
        try crowd.wait(for: taps, gate)
        let last = facts.resident
        card.remove()
        try gate.end()
        report.add("memory-after-\(settledTaps)-taps", settled, "MiB", bar: 24)
        report.add("memory-after-\(taps)-taps", last, "MiB", bar: 24)
        report.add("memory-growth-from-\(settledTaps)-to-\(taps)-taps", last - settled, "MiB", bar: 1)
    }
}
