@testable import Configuration

/// Makes up valid configurations, the same ones for the same seed.
struct ConfigurationSource {
    private var state: UInt64
    private var lines: Int64 = 0

    init(seed: UInt64) { state = seed &+ 0x9E37_79B9_7F4A_7C15 }

    /// SplitMix64.
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    mutating func one<Element>(of elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }

    mutating func some<Element>(of elements: [Element]) -> [Element] {
        let chosen = elements.filter { _ in number(0...1) == 1 }
        return chosen.isEmpty ? [elements[0]] : chosen
    }

    mutating func maybe<Value>(_ value: Value) -> Value? { number(0...1) == 1 ? value : nil }

    mutating func identifier(_ maximum: Int) -> String {
        String((0..<number(1...maximum)).map { _ in one(of: Array("abcXYZ019._-")) })
    }

    /// Anything but control characters, with everything TOML treats in a special way.
    mutating func text(_ maximum: Int) -> String {
        String((0..<number(1...maximum)).map { _ in one(of: Array("aZ0 \"\\'#=[]{},.é漢😀/-")) })
    }

    mutating func path(_ maximum: Int) -> String { "/" + text(maximum / 8) }

    mutating func output() -> OutputSettings {
        lines += 1 // a line serves once
        let line: OutputLine = number(0...1) == 0 ? .offset(UInt32(lines % 1024)) : .named("L\(lines)\(text(8))")
        return OutputSettings(chip: "chip\(lines)\(text(20))", line: line, active: one(of: ActiveLevel.allCases))
    }

    mutating func rule() -> LoggingSettings.Rule {
        .init(level: one(of: LoggingLevel.allCases), target: one(of: LoggingTarget.allCases))
    }

    mutating func lane(_ index: Int) -> LaneSettings {
        var lights = LightSettings()
        for light in Light.allCases { lights[light] = maybe(output()) }
        let secondFactor = one(of: SecondFactorSetting.allCases)
        return LaneSettings(
            name: "\(index)" + identifier(30), zone: maybe(identifier(64)), methods: some(of: [3, 0, 2, 1]),
            suites: some(of: [3, 2]), cooldownSuccessMilliseconds: number(0...600_000),
            cooldownFailureMilliseconds: number(0...60_000), secondFactor: secondFactor,
            secondFactorSchedule: secondFactor == .scheduled ? identifier(64) : nil, auditOnFailure: one(of: AuditFailurePolicy.allCases),
            relay: RelaySettings(output: output(), pulseMilliseconds: number(50...60_000)), lights: lights)
    }

    mutating func reader(_ index: Int, lanes: [LaneSettings]) -> ReaderSettings {
        let value = "\(index)" + text(60)
        return ReaderSettings(
            name: "\(index)" + identifier(30), lane: one(of: lanes).name, direction: one(of: PassageDirection.allCases),
            type: .pcsc, match: one(of: [.name(value), .serial(value), .port(value)]), nameContains: maybe(text(20)),
            presentationDeadlineMilliseconds: number(200...10_000), stuckAfterMilliseconds: number(2000...120_000))
    }

    mutating func configuration() -> GateConfiguration {
        let lanes = (0..<number(1...4)).map { lane($0) }
        let wait = number(0...250)
        return GateConfiguration(
            site: SiteSettings(identifier: identifier(64)),
            gate: GateSettings(
                identifier: identifier(32), signingKey: "/s" + text(100), agreementKey: "/a" + text(100),
                signingCredential: maybe("/c" + text(100)), agreementCredential: maybe("/d" + text(100)),
                nextSigningKey: maybe("/n" + text(100)), nextAgreementKey: maybe("/m" + text(100)),
                switchAt: maybe(Int64(number(0...4_000_000_000)))),
            trust: TrustSettings(siteKey: path(4096), warnAfterHours: number(1...8760), refuseAfterDays: number(1...3650),
                                 tokenCache: number(0...16_384)),
            store: StoreSettings(directory: path(4000)),
            audit: AuditSettings(onFailure: one(of: AuditFailurePolicy.allCases), waitMilliseconds: wait,
                                 durableWithinMilliseconds: number(max(10, wait)...2000),
                                 maximumRecords: number(10_000...100_000_000)),
            log: LoggingSettings(standard: rule(), rooms: Dictionary(
                uniqueKeysWithValues: GateConfiguration.logRooms.map { ($0, rule()) })),
            control: ControlSettings(socket: "/" + identifier(90), group: identifier(32)),
            clock: ClockSettings(source: one(of: ClockSource.allCases), holdoverDays: number(0...3650),
                                 whenUntrusted: one(of: UntrustedClockPolicy.allCases)),
            lanes: lanes, readers: (0..<number(0...4)).map { reader($0, lanes: lanes) })
    }
}
