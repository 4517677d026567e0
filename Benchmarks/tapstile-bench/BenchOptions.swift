import CommandLineOptions
import Glibc

/// What is to be measured, and where.
struct BenchOptions {
    /// The parts of the benchmark.
    static let parts = ["air", "decision", "reader", "import", "endurance", "daemon", "indicators", "load", "ble", "reader-chip", "sync", "office", "invitations"]

    let extent: Extent
    let folder: String
    let cache: String
    let programs: TestedPrograms
    let pcscd: String
    let enrolled: Int
    let revocations: Int
    let memberships: Int
    let taps: Int
    let endurance: Int
    let selected: Set<String>
    /// How many taps the soak has; nil when it is not wanted.
    let soak: Int?
    /// Taps of the soak before its bars count.
    let warmUp: Int
    /// How often the program of a PN532 is killed under taps; nil when that is not wanted.
    let kills: Int?
    /// How many minutes a PN532 looks for phones, in a hundredth of the time; nil when that is not wanted.
    let polling: Int?

    /// Something is looked at for a long time, and nothing is measured.
    var isLong: Bool { soak != nil || kills != nil || polling != nil }

    init(_ command: ParsedCommand) throws(CommandLineError) {
        let extent: Extent = command.has("short") ? .short : .whole
        self.extent = extent
        folder = command.value("dir") ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        cache = command.value("cache") ?? ".build/bench"
        let own = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        programs = TestedPrograms(folder: command.value("programs") ?? own)
        pcscd = command.value("pcscd") ?? "Tests/Support/private-pcscd"
        enrolled = try command.integer("enrolled", in: PhoneBook.count...10_000_000) ?? extent.of(1_000_000, short: 2000)
        revocations = try command.integer("revocations", in: 0...10_000_000) ?? extent.of(100_000, short: 100)
        memberships = try command.integer("memberships", in: 0...10_000_000) ?? extent.of(1_000_000, short: 600)
        taps = try command.integer("taps", in: 10...1_000_000) ?? extent.of(2000, short: 10)
        endurance = try command.integer("endurance", in: extent.of(1001, short: 1)...10_000_000) ?? extent.of(10_000, short: 40)
        soak = try command.integer("soak", in: 100...100_000_000)
        warmUp = try command.integer("warm-up", in: 1...10_000_000) ?? SoakBenchmark.warmUp(before: soak ?? 0)
        kills = try command.integer("kills", in: 1...1_000_000)
        polling = try command.integer("polling", in: 1...1_000_000)
        let chosen = command.values("only")
        if let unknown = chosen.first(where: { !Self.parts.contains($0) }) {
            throw .badValue(option: "only", value: unknown, wanted: Self.parts.joined(separator: ", "))
        }
        selected = chosen.isEmpty ? Set(Self.parts) : Set(chosen)
    }
}
