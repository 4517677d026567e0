import Configuration
import Gate
import Lines

extension LineRequest {
    /// Every line the lane needs; names are LANE-PURPOSE, as `gpioinfo` shows them.
    package static func all(of lane: LaneSettings) -> [LineRequest] {
        lane.outputs.map { purpose, output in
            LineRequest(name: "\(lane.name)-\(purpose)", chip: output.chip, line: LinePlace(output.line),
                        activeLow: output.active == .low, consumer: "tapstile-\(lane.name)-\(purpose)")
        }
    }
}

extension LinePlace {
    init(_ line: OutputLine) {
        switch line {
        case .offset(let offset): self = .offset(offset)
        case .named(let name): self = .named(name)
        }
    }
}

extension LaneLines {
    /// The names under which `LineRequest.all(of:)` asks for the lines of the lane.
    init(_ lane: LaneSettings) {
        relay = "\(lane.name)-relay"
        lights = Dictionary(uniqueKeysWithValues: Gate.Light.allCases.compactMap { light in
            guard let wired = Configuration.Light(rawValue: light.rawValue), lane.lights[wired] != nil else { return nil }
            return (light, "\(lane.name)-\(light.rawValue)")
        })
    }
}
