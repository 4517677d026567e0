/// The clock's memory as a small text file with a check sum.
///
/// Two copies are kept and each is replaced atomically: a floor must survive a damaged file, or the
/// clock could be moved back behind an expiry by damaging it.
enum ClockFile {
    private static let heading = "tapstile-clock 1"

    static func text(_ memory: ClockMemory) -> [UInt8] {
        var lines = [heading, "floor \(memory.seen)"]
        if let signed = memory.signed { lines.append("signed \(signed.role.rawValue) \(signed.version) \(signed.root) \(signed.date)") }
        if let last = memory.lastSynchronised {
            lines.append("synchronised \(last.realtime) \(last.sinceBoot) \(last.boot)")
        }
        if let seen = memory.newestDate {
            lines.append("date \(seen.date.signer.rawValue) \(seen.date.date) \(seen.date.seenAt) \(seen.boot)")
        }
        if let kept = memory.estimate {
            let it = kept.interval
            lines.append("estimate \(it.basis.rawValue) \(it.believed) \(it.believedAt) \(it.earliest) \(it.latest) \(it.at) \(kept.boot)")
        }
        let body = lines.joined(separator: "\n") + "\n"
        return Array((body + "check \(checksum(body))\n").utf8)
    }

    /// Nil when a single byte is not as it was written.
    static func parse(_ bytes: [UInt8]) -> ClockMemory? {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
        guard let floorLine = lines.first(where: { $0.first == "floor" }), floorLine.count == 2,
              let floor = Int64(floorLine[1]) else { return nil }
        var memory = ClockMemory(floor: floor)
        if let line = lines.first(where: { $0.first == "synchronised" }), line.count == 4,
           let realtime = Int64(line[1]), let sinceBoot = Int64(line[2]) {
            memory.lastSynchronised = .init(realtime: realtime, sinceBoot: sinceBoot, boot: String(line[3]))
        }
        memory.signed = lines.first { $0.first == "signed" }.flatMap(signed)
        memory.newestDate = lines.first { $0.first == "date" }.flatMap(date)
        memory.estimate = lines.first { $0.first == "estimate" }.flatMap(estimate)
        // Whatever was read is right if, and only if, it writes the very same file.
        return text(memory) == bytes ? memory : nil
    }

    /// The line `signed ROLE VERSION ROOT DATE`.
    private static func signed(_ line: [Substring]) -> SignedFloor? {
        let numbers = line.dropFirst(2).compactMap { Int64($0) }
        guard line.count == 5, numbers.count == 3, let role = SignedFloor.Role(rawValue: String(line[1])) else { return nil }
        return SignedFloor(role, version: numbers[0], root: numbers[1], date: numbers[2])
    }

    /// The line `date SIGNER DATE SEEN-AT BOOT`.
    private static func date(_ line: [Substring]) -> ClockMemory.SeenDate? {
        guard line.count == 5, let signer = SignedDate.Signer(rawValue: String(line[1])), let date = Int64(line[2]), let seenAt = Int64(line[3]) else { return nil }
        return ClockMemory.SeenDate(boot: String(line[4]), date: SignedDate(signer: signer, date: date, seenAt: seenAt))
    }

    /// The line `estimate BASIS BELIEVED BELIEVED-AT EARLIEST LATEST AT BOOT`.
    private static func estimate(_ line: [Substring]) -> ClockMemory.Estimate? {
        let numbers = line.dropFirst(2).dropLast().compactMap { Int64($0) }
        guard line.count == 8, numbers.count == 5, let basis = ClockBasis(rawValue: String(line[1])),
              let interval = ClockEstimate(basis, believed: numbers[0], believedAt: numbers[1], earliest: numbers[2], latest: numbers[3],
                                           at: numbers[4]) else { return nil }
        return ClockMemory.Estimate(boot: String(line[7]), interval: interval)
    }

    /// FNV-1a, 64 bit: against damage, not against an attacker (who could write the folder anyway).
    private static func checksum(_ text: String) -> String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}

/// Whose word the time of this boot goes by, the weakest first.
public enum ClockBasis: String, CaseIterable, Sendable {
    /// The installer's (`ClockPolicy.Source.installer`): what the machine says at its start.
    case installer
    /// The installer's, once it has been put right: from then on a jump is one.
    case corrected
    /// The first reading of this boot that the kernel called synchronised. Whoever answers for a time server can have said it.
    case kernel
    /// A signed date agrees with it.
    case signed
    /// Root or an operator said that it is right.
    case person

    /// Whether somebody besides the machine's own clock has confirmed it since the boot.
    public var isConfirmed: Bool {
        switch self {
        case .installer, .corrected, .kernel: false
        case .signed, .person: true
        }
    }
}
