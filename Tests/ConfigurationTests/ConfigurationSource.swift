import SeededNumbers
import Vocabulary
@testable import Configuration

/// Makes up valid configurations, the same ones for the same seed.
struct ConfigurationSource {
    private var random: SeededNumbers
    private var lines: Int64 = 0

    init(seed: UInt64) { random = SeededNumbers(seed: seed &+ 0x9E37_79B9_7F4A_7C15) }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(random.next() % UInt64(range.upperBound - range.lowerBound + 1))
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

    mutating func pattern() -> PatternSettings {
        let steps = (0..<number(1...64)).map { _ in
            PatternStepSettings(lamps: Indicator.lamps.filter { _ in number(0...1) == 1 }, milliseconds: 100 * number(1...600))
        }
        // The last step must not be dark for ever.
        return PatternSettings(steps: steps.dropLast() + [PatternStepSettings(lamps: [one(of: Indicator.lamps)], milliseconds: 100)],
                               repeats: number(0...1) == 1)
    }

    mutating func patterns() -> [SignalName: PatternSettings] {
        Dictionary(uniqueKeysWithValues: SignalName.allCases.filter { _ in number(0...3) == 0 }.map { ($0, pattern()) })
    }

    mutating func input(_ name: InputName) -> InputSettings {
        let place = output()
        return InputSettings(
            chip: place.chip, line: place.line, closed: place.active,
            // A change-over contact has one half of each kind.
            normally: name == .fire ? .closed : name == .fireOpen ? .open : one(of: NormalContact.allCases),
            bias: one(of: InputBias.allCases), debounceMilliseconds: name == .fireOpen ? nil : number(1...1000),
            mode: name == .modeSwitch ? one(of: Schema.switchModes) : nil)
    }

    /// The inputs of a lane, or of a gate: second halves come with the first ones.
    mutating func inputs(_ names: [InputName]) -> InputsSettings {
        var inputs = InputsSettings()
        for name in names { inputs[name] = maybe(input(name)) }
        if inputs[.fire] == nil { inputs[.fireOpen] = nil }
        if inputs[.passageIn] == nil { inputs[.passageOut] = nil }
        return inputs
    }

    mutating func relay() -> RelaySettings { RelaySettings(output: output(), pulseMilliseconds: number(50...60_000)) }

    mutating func passage() -> PassageSettings {
        PassageSettings(
            waitMilliseconds: number(500...600_000), heldAfterMilliseconds: number(1000...3_600_000), alarmMilliseconds: number(0...3_600_000),
            onFire: maybe(one(of: FireDirection.allCases)), onFireLineFault: one(of: FireLineFaultPolicy.allCases),
            requestToExitWhenLocked: number(0...1) == 1, freePassage: one(of: Direction.allCases), automatic: number(0...1) == 1,
            bleBackgroundCooldownMilliseconds: number(0...600_000))
    }

    mutating func rule() -> LoggingSettings.Rule {
        .init(level: one(of: LoggingLevel.allCases), target: one(of: LoggingTarget.allCases))
    }

    mutating func lane(_ index: Int) -> LaneSettings {
        var indicators = IndicatorSettings()
        for indicator in Indicator.allCases { indicators[indicator] = maybe(output()) }
        let secondFactor = one(of: SecondFactorSetting.allCases)
        var lane = LaneSettings(
            name: "\(index)" + identifier(30), zone: maybe(identifier(64)), methods: some(of: [3, 0, 2, 1]),
            suites: some(of: [6, 3, 2, 5]), cooldownSuccessMilliseconds: number(0...600_000),
            cooldownFailureMilliseconds: number(0...60_000), secondFactor: secondFactor,
            secondFactorSchedule: secondFactor == .scheduled ? identifier(64) : nil, auditOnFailure: one(of: AuditFailurePolicy.allCases),
            relay: relay(), indicators: indicators)
        if lane.suites == [6], !lane.methods.contains(0) { lane.suites = [6, 2] }
        lane.relayOut = maybe(relay())
        lane.inputs = inputs(InputName.allCases)
        lane.passage = passage()
        if lane.inputs[.passageIn] != nil {
            lane.relay.hold = one(of: RelayHold.allCases)
            lane.relayOut?.hold = one(of: RelayHold.allCases)
        }
        lane.lineOutputs = (0..<number(0...2)).map { LineOutputSettings(name: "\($0)" + identifier(30), output: output(), restore: number(0...1) == 1) }
        lane.commands = (0..<number(0...2)).map { command($0, outputs: lane.lineOutputs) }
        return lane
    }

    mutating func command(_ index: Int, outputs: [LineOutputSettings]) -> CommandSettings {
        let output = outputs.isEmpty ? nil : maybe(one(of: outputs).name)
        let actions: [CommandSettings.Action] = output == nil ? [.pass, .passOut, .holdOpen, .lockDown, .normal, .recordOnly] : [.on, .off, .toggle]
        let action = one(of: actions)
        return CommandSettings(name: "\(index)" + identifier(30), action: action, output: output, minutes: action.minutes.map { number($0) } ?? 60,
                               secondFactor: maybe(number(0...1) == 1), schedule: maybe(identifier(64)))
    }

    mutating func reader(_ index: Int, lanes: [LaneSettings]) -> ReaderSettings {
        var reader = ReaderSettings(
            name: "\(index)" + identifier(30), lane: one(of: lanes).name, direction: one(of: Direction.allCases),
            device: number(0...1) == 0 ? pcsc(index) : .pn532(chip(index)),
            presentationDeadlineMilliseconds: number(200...10_000), stuckAfterMilliseconds: number(2000...120_000))
        switch reader.device {
        case .pcsc(.port(let port), _): reader.reset.usb = port.contains("-") && number(0...1) == 0
        case .pcsc: break
        case .pn532(let chip): reader.reset = ReaderResetSettings(line: maybe(output()), usb: chip.bus == .uart && number(0...1) == 0)
        }
        return reader
    }

    private mutating func pcsc(_ index: Int) -> ReaderDeviceSettings {
        let value = "\(index)" + text(60)
        return .pcsc(one(of: [.name(value), .serial(value), .port(value)]), nameContains: maybe(text(20)))
    }

    mutating func chip(_ index: Int) -> ChipSettings {
        let bus = one(of: ChipBus.allCases)
        let speed: Int? = switch bus {
        case .uart: maybe(one(of: [9600, 115_200, 460_800]))
        case .spi: maybe(number(9600...5_000_000))
        case .i2c: nil
        }
        return ChipSettings(
            bus: bus, device: "/x/\(index)" + text(38), speed: speed,
            announcement: maybe(ChipAnnouncement(terminal: hex(6), group: maybe(hex(16)))), cycleMilliseconds: number(50...250),
            exchangeMilliseconds: number(100...3300), bitRate: one(of: [106, 212, 424]), socket: "/\(index)" + identifier(90))
    }

    mutating func hex(_ count: Int) -> String { String((0..<count).map { _ in one(of: Array("0123456789abcdef")) }) }

    mutating func carriers() -> CarrierSettings {
        CarrierSettings(carriers: one(of: [.nfcFirst, .bleOnly, .both]), bleRequirement: one(of: BLERequirement.allCases),
                        thresholdDBm: number(-100...0), windowMilliseconds: number(100...5000))
    }

    /// Radios with an address each; what lanes are at none is served over NFC.
    mutating func radios(_ lanes: inout [LaneSettings]) -> [RadioSettings] {
        var radios: [RadioSettings] = []
        for index in 0..<number(0...2) {
            let free = lanes.indices.filter { lane in !radios.contains { $0.lanes.contains(lanes[lane].name) } }
            guard !free.isEmpty else { break }
            let served = some(of: free)
            for lane in served { lanes[lane].carriers = carriers() }
            let address = ["0\(index)"] + (0..<5).map { _ in hex(2).uppercased() }
            radios.append(RadioSettings(
                name: "r\(index)" + identifier(30), lanes: served.reversed().map { lanes[$0].name }, direction: one(of: Direction.allCases),
                address: address.joined(separator: ":"), mode: one(of: RadioMode.allCases),
                serviceUUID: maybe([8, 4, 4, 4, 12].map { hex($0) }.joined(separator: "-")), links: number(1...7),
                presentationDeadlineMilliseconds: number(1000...30_000), reportIntervalMilliseconds: one(of: [0, number(100...60_000)])))
        }
        return radios
    }

    mutating func address(_ scheme: String = "https") -> String {
        "\(scheme)://a\(label()).\(label())/\((0..<number(0...8)).map { _ in one(of: ["a", "XYZ", "0-9", "a.b", "~_", "%20", ":", "site", "..."]) }.joined(separator: "/"))"
    }

    /// A part of a host's name.
    mutating func label() -> String { String((0..<number(1...12)).map { _ in one(of: Array("abcxyz0189")) }) }

    mutating func sync() -> SyncSettings {
        var sync = SyncSettings(url: address(), targetsURL: maybe(address()), intervalMinutes: number(1...1440), minimumRate: number(1...1_000_000_000),
                                socket: "/" + identifier(90))
        sync.proxy = maybe(address("http"))
        sync.noProxy = maybe(text(200))
        sync.moreURLs = (0..<number(0...3)).map { _ in address() }
        sync.localAddresses = (0..<number(0...2)).map { _ in one(of: ["127.0.0.1", "::1", "fe80::1", "10.0.0.1"]) }
        sync.authorities = maybe(path(1024))
        if number(0...1) == 0 { (sync.certificate, sync.key) = (path(1024), path(1024)) }
        return sync
    }

    mutating func configuration() -> GateConfiguration {
        var lanes = (0..<number(1...4)).map { lane($0) }
        let radios = radios(&lanes)
        let wait = number(0...250)
        // A lane has one fire alarm: its own, or that of the gate.
        let taken = InputName.ofGate.filter { name in lanes.contains { $0.inputs[name] != nil || name == .fireOpen && $0.inputs[.fire] != nil } }
        var configuration = GateConfiguration(
            site: SiteSettings(identifier: identifier(64)),
            gate: GateSettings(
                identifier: identifier(32), signingKey: "/s" + text(100), agreementKey: "/a" + text(100),
                signingCredential: maybe("/c" + text(100)), agreementCredential: maybe("/d" + text(100)),
                nextSigningKey: maybe("/n" + text(100)), nextAgreementKey: maybe("/m" + text(100)),
                switchAt: maybe(Int64(number(0...4_000_000_000)))),
            trust: TrustSettings(source: one(of: [.repository(root: path(4096)), .siteFile(path(4096))]),
                                 keep: .all, warnAfterHours: number(1...8760), refuseAfterDays: number(1...3650),
                                 tokenCache: number(0...16_384)),
            store: StoreSettings(directory: path(4000)),
            audit: AuditSettings(onFailure: one(of: AuditFailurePolicy.allCases), waitMilliseconds: wait,
                                 durableWithinMilliseconds: number(max(10, wait)...2000),
                                 maximumRecords: number(10_000...100_000_000),
                                 collect: one(of: AuditCollection.allCases), onFull: one(of: AuditFullPolicy.allCases)),
            log: LoggingSettings(standard: rule(), rooms: Dictionary(
                uniqueKeysWithValues: GateConfiguration.logRooms.map { ($0, rule()) })),
            control: ControlSettings(socket: "/" + identifier(90), group: identifier(32), operatorGroup: identifier(32),
                                     observerGroup: identifier(32)),
            clock: ClockSettings(source: one(of: ClockSource.allCases), holdoverDays: number(0...3650),
                                 whenUntrusted: one(of: UntrustedClockPolicy.allCases), afterBoot: one(of: AfterBootPolicy.allCases)),
            lanes: lanes, readers: (0..<number(0...4)).map { reader($0, lanes: lanes) }, patterns: patterns())
        configuration.radios = radios
        configuration.inputs = inputs(InputName.ofGate.filter { !taken.contains($0) })
        if configuration.trust.root != nil { configuration.sync = maybe(sync()) }
        return configuration
    }
}
