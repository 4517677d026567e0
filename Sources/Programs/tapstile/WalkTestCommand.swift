import CommandLineOptions
import ControlProtocol
import Encoding
import Glibc
import Threads

/// `tapstile test-lane LANE`: the gate tries what is wired at a lane, and says what it saw.
struct WalkTestCommand {
    /// The gate.
    let gate: GateConnection
    /// Whether output is one JSON object a line.
    let json: Bool

    /// Milliseconds between two questions how far it is.
    private static let interval: Int32 = 100

    func run(_ command: ParsedCommand) throws -> ExitStatus {
        guard let lane = command.operand(0) else { throw CommandLineError.operandMissing("LANE") }
        let longest = Int(WalkTestRequest.inputWaits.upperBound / 1000)
        let wait = try command.integer("inputs", in: 0...longest) ?? 20
        var answer = try gate.ask(.testLane(WalkTestRequest(lane: lane, .begin(inputMilliseconds: Int64(wait) * 1000))))
        guard let test = answer["test"]?.integer else {
            throw ControlError(code: "request-malformed", message: "The gate's answer names no test.")
        }
        write("Lane \(lane) is out of service while it is tried; taps are refused.")
        var results: [JSON] = []
        var asked = 0
        while true {
            let fresh = answer["results"]?.array ?? []
            results += fresh
            guard fresh.allSatisfy(report) else { return stop(lane, test) }
            if let end = answer["ended"]?.string { return conclude(lane, end, results, steps: answer["steps"]?.integer ?? 0) }
            prompt(answer["current"], &asked)
            if skips() { _ = try gate.ask(.testLane(WalkTestRequest(lane: lane, .skip(test: test)))) }
            answer = try gate.ask(.testLane(WalkTestRequest(lane: lane, .follow(test: test, after: Int64(results.count)))))
        }
    }

    /// Nobody reads what is written any more.
    private func stop(_ lane: String, _ test: Int64) -> ExitStatus {
        _ = try? gate.ask(.testLane(WalkTestRequest(lane: lane, .stop(test: test))))
        return .failure
    }

    /// Asks once for each contact.
    private func prompt(_ current: JSON?, _ asked: inout Int) {
        guard let current, current["kind"]?.string == "input", let step = current["step"]?.integer, step > asked else { return }
        asked = Int(step)
        let leave = isatty(STDIN_FILENO) == 1 ? " (Enter leaves it out)" : ""
        write("      now move the contact of \(current["name"]?.string ?? "?")\(leave)")
    }

    /// Waits a moment; true when somebody at a terminal pressed Enter meanwhile.
    private func skips() -> Bool {
        guard isatty(STDIN_FILENO) == 1 else {
            usleep(UInt32(Self.interval) * 1000)
            return false
        }
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&input, 1, Self.interval) > 0 else { return false }
        var line = [UInt8](repeating: 0, count: 256)
        return read(STDIN_FILENO, &line, line.count) > 0
    }

    private func write(_ text: String) {
        if !json { StandardStream.output.write(line: text) }
    }

    /// ` 3  indicator red: expected on, then off; observed on, then off: ok`
    private func report(_ result: JSON) -> Bool {
        guard !json else { return StandardStream.output.write(result) }
        func text(_ key: String) -> String { result[key]?.string ?? "?" }
        let number = String(result["step"]?.integer ?? 0)
        let simulated = result["simulated"]?.bool == true ? " (simulated: nothing moved)" : ""
        let code = result["code"]?.string.map { " \($0):" } ?? ""
        return StandardStream.output.write(
            line: "\(String(repeating: " ", count: max(0, 3 - number.count)))\(number)  \(text("kind")) \(text("name")): "
                + "expected \(text("expected")); observed\(code) \(text("observed")): \(Self.words[text("result")] ?? text("result"))\(simulated)")
    }

    private static let words = ["ok": "ok", "wrong": "WRONG", "failed": "FAILED", "not-seen": "NOT SEEN", "skipped": "left out"]

    private func conclude(_ lane: String, _ end: String, _ results: [JSON], steps: Int64) -> ExitStatus {
        func count(_ verdict: String) -> Int { results.count { $0["result"]?.string == verdict } }
        let isGood = end == "done" && results.allSatisfy { ["ok", "skipped"].contains($0["result"]?.string) }
        guard !json else {
            StandardStream.output.write(
                ["lane": .string(lane), "ended": .string(end), "steps": .integer(steps), "ok": .integer(Int64(count("ok"))),
                 "wrong": .integer(Int64(count("wrong"))), "failed": .integer(Int64(count("failed"))),
                 "notSeen": .integer(Int64(count("not-seen"))), "skipped": .integer(Int64(count("skipped"))), "passed": .bool(isGood)])
            return isGood ? .success : .failure
        }
        write("Lane \(lane) is back in service: \(count("ok")) of \(steps) as expected" + others(count) + ".")
        write(Self.ends[end] ?? end)
        return isGood ? .success : .failure
    }

    private func others(_ count: (String) -> Int) -> String {
        [("wrong", "wrong"), ("failed", "failed"), ("not-seen", "not seen"), ("skipped", "left out")].filter { count($0.0) > 0 }
            .map { ", \(count($0.0)) \($0.1)" }.joined()
    }

    private static let ends = [
        "done": "A line that says what was written to it may still move nothing: look and listen.",
        "stopped": "The test was ended before its last step.",
        "abandoned": "The gate heard nothing from here and ended the test.",
        "overridden": "Fire, or a mode that somebody set, took the lane and ended the test.",
        "gate-stops": "The gate stops, which ended the test."
    ]
}
