import Encoding

/// What a client wants of the walk test of a lane (O2). The gate goes through the steps by itself; the client asks how far
/// it is. One that does not ask for a while has gone, and the test ends.
public struct WalkTestRequest: Equatable, Sendable {
    /// What is to be done.
    public enum Action: Equatable, Sendable {
        /// Take the lane out of service and begin; each input is waited for so many milliseconds, 0 leaves them out.
        case begin(inputMilliseconds: Int64)
        /// What has become of the steps after the first `after` ones; the client is still there.
        case follow(test: Int64, after: Int64)
        /// Go on without the input that is waited for.
        case skip(test: Int64)
        /// End it, everything de-energised.
        case stop(test: Int64)
    }

    /// How long an input may be waited for, in milliseconds.
    public static let inputWaits: ClosedRange<Int64> = 0...120_000

    /// The lane.
    public let lane: String
    public let action: Action

    /// A request.
    public init(lane: String, _ action: Action) {
        self.lane = lane
        self.action = action
    }

    init(json: JSON) throws(ControlError) {
        func number(_ name: String, from least: Int64 = 1) throws(ControlError) -> Int64 {
            guard let number = json[name]?.integer, number >= least else { throw .malformed("`\(name)` is not a number from \(least).") }
            return number
        }
        guard let lane = json["lane"]?.string else { throw .malformed("`lane` is not a text.") }
        switch json["action"]?.string {
        case "begin":
            let wait = try number("inputs", from: 0)
            guard Self.inputWaits.contains(wait) else { throw .malformed("`inputs` is at most \(Self.inputWaits.upperBound).") }
            self.init(lane: lane, .begin(inputMilliseconds: wait))
        case "follow": self.init(lane: lane, .follow(test: try number("test"), after: try number("after", from: 0)))
        case "skip": self.init(lane: lane, .skip(test: try number("test")))
        case "stop": self.init(lane: lane, .stop(test: try number("test")))
        default: throw .malformed("`action` is none of begin, follow, skip, stop.")
        }
    }

    var fields: JSONObject {
        var fields: JSONObject = ["do": "test-lane", "lane": .string(lane)]
        switch action {
        case .begin(let wait):
            fields["action"] = "begin"
            fields["inputs"] = .integer(wait)
        case .follow(let test, let after):
            fields["action"] = "follow"
            fields["test"] = .integer(test)
            fields["after"] = .integer(after)
        case .skip(let test):
            fields["action"] = "skip"
            fields["test"] = .integer(test)
        case .stop(let test):
            fields["action"] = "stop"
            fields["test"] = .integer(test)
        }
        return fields
    }
}
