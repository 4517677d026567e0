/// A gate's radios: what a tap asks of the air, what the gate adds to it, and what a radio costs while nobody is near.
struct BluetoothBenchmark {
    let site: BenchSite
    /// Taps of each kind over NFC; one in eight over Bluetooth, where each takes its time.
    let taps: Int
    let report: Report

    func run() throws {
        let gate = try RadioGate(site)
        defer { gate.stop() }
        // The gate learns the tokens that are named by reference later.
        for phone in site.phones.byValue.prefix(report.extent.of(PhoneBook.count, short: 10)) { _ = try gate.tap(phone) }
        try RequestBenchmark(gate: gate, phones: site.phones, report: report).run()
        try RadioShareBenchmark(gate: gate, phones: site.phones, taps: max(10, taps / 8), report: report).run()
        try IdleRadioBenchmark(gate: gate, folder: site.path("bus"), report: report).run()
    }
}
