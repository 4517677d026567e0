import Configuration
import Gate
import Lines

extension LineRequest {
    /// Every line of a gate.
    package static func all(of configuration: GateConfiguration) -> [LineRequest] {
        configuration.lanes.flatMap(all) + configuration.inputs.all.map { name, input in
            LineRequest(input, name: InputLine.name(name, of: nil))
        } + configuration.readers.compactMap { reader in
            reader.reset.line.map { LineRequest($0, name: reader.resetLine) }
        }
    }

    /// Every line the lane needs. Names are LANE-PURPOSE, as `gpioinfo` shows them; LANE:NAME for the lines that
    /// operators switch, whose names are free.
    package static func all(of lane: LaneSettings) -> [LineRequest] {
        lane.outputs.map { LineRequest($0.output, name: "\(lane.name)-\($0.purpose)") }
            + lane.lineOutputs.map { LineRequest($0.output, name: "\(lane.name):\($0.name)") }
            + lane.inputs.all.map { LineRequest($0.input, name: InputLine.name($0.name, of: lane.name)) }
    }

    private init(_ output: OutputSettings, name: LineName) {
        self.init(name: name, chip: output.chip, line: LinePlace(output.line), activeLow: output.active == .low,
                  consumer: "tapstile-\(name)")
    }

    private init(_ input: InputSettings, name: LineName) {
        self.init(name: name, chip: input.chip, line: LinePlace(input.line), activeLow: input.active == .low,
                  direction: .input, bias: LineBias(input.bias), consumer: "tapstile-\(name)")
    }
}

extension ReaderSettings {
    /// The name of the line that resets it, whether there is one or not. No lane has a purpose called so.
    package var resetLine: LineName { "\(name)-reset" }
}

extension LineBias {
    package init(_ bias: InputBias) {
        self = switch bias {
        case .asIs: .asIs
        case .pullUp: .pullUp
        case .pullDown: .pullDown
        case .off: .off
        }
    }
}

extension LinePlace {
    package init(_ line: OutputLine) {
        switch line {
        case .offset(let offset): self = .offset(offset)
        case .named(let name): self = .named(name)
        }
    }
}

extension LaneLines {
    /// The names under which `LineRequest.all(of:)` asks for the lines of the lane.
    package init(_ lane: LaneSettings) {
        relay = "\(lane.name)-relay"
        relayOut = lane.relayOut.map { _ in "\(lane.name)-relay-out" }
        func wired<Kind: RawRepresentable<String> & CaseIterable>(_: Kind.Type) -> [Kind: LineName] {
            Dictionary(uniqueKeysWithValues: Kind.allCases.compactMap { kind in
                guard let indicator = Configuration.Indicator(rawValue: kind.rawValue), lane.indicators[indicator] != nil else { return nil }
                return (kind, "\(lane.name)-\(kind.rawValue)")
            })
        }
        lamps = wired(Lamp.self)
        steady = wired(SteadyIndicator.self)
    }
}
