import ControlProtocol
import Encoding
import Testing

@Suite("Control messages") struct ControlMessagesTests {
    static let operations: [ControlOperation] = [
        .status, .events, .reload, .importFolder, .followImport(number: 3), .resetClockFloor,
        .verifyJournal(JournalStretch(unproven: false)),
        .verifyJournal(JournalStretch(unproven: true, after: .init(sequence: 7, hash: [UInt8](repeating: 0xA5, count: 32)))),
        .journal(JournalQuery(from: 7, limit: 20, lane: "main", reason: "expired", since: 1_700_000_000_000)),
        .journal(JournalQuery()), .journal(JournalQuery(unproven: true)), .proveJournal(sequence: 17),
        .testLane(WalkTestRequest(lane: "main", .begin(inputMilliseconds: 0))),
        .testLane(WalkTestRequest(lane: "main", .follow(test: 3, after: 0))),
        .testLane(WalkTestRequest(lane: "main", .skip(test: 3))), .testLane(WalkTestRequest(lane: "main", .stop(test: 3))),
        .lane("main"), .passback(PassbackQuery()), .passback(PassbackQuery(zone: "hall", subject: "ada")),
        .explain(ExplainQuery(.subject("ada"))), .explain(ExplainQuery(.subject("ada"), siteTime: "18:03")), .explain(ExplainQuery(.key([1, 2, 3, 4]), lane: "main", at: 1_700_000_000, command: "hold")),
        .resetPassback(PassbackQuery(zone: "hall")), .simulate(SimulationRequest(line: "main-passage-in", isOn: true)),
        .simulate(SimulationRequest(line: "gate:fire", isOn: false)),
        .actOnLane(LaneRequest(lane: "main", action: .mode(.holdOpen, direction: .out, milliseconds: 60_000))),
        .actOnLane(LaneRequest(lane: "main", action: .mode(.lockDown, direction: nil, milliseconds: nil))),
        .actOnLane(LaneRequest(lane: "main", action: .mode(.normal, direction: nil, milliseconds: nil))),
        .actOnLane(LaneRequest(lane: "main", action: .release(nil))), .actOnLane(LaneRequest(lane: "main", action: .release(.in))),
        .actOnLane(LaneRequest(lane: "main", action: .arm)), .actOnLane(LaneRequest(lane: "main", action: .disarm)),
        .actOnLane(LaneRequest(lane: "main", action: .toggle(output: "bell"))),
    ]

    @Test(arguments: operations)
    func aRequestReadsBackAsItself(operation: ControlOperation) throws {
        let request = ControlRequest(id: 42, operation: operation)
        #expect(try ControlRequest(parsing: request.line) == request)
        #expect(!request.line.contains(0x0A))
    }

    @Test(arguments: [
        ("", "request-malformed"),
        ("{", "request-malformed"),
        ("[]", "request-malformed"),
        (#"{"id":1,"do":"status"}"#, "request-malformed"),
        (#"{"v":1,"do":"status"}"#, "request-malformed"),
        (#"{"v":1,"id":1}"#, "request-malformed"),
        (#"{"v":2,"id":1,"do":"status"}"#, "version-unknown"),
        (#"{"v":1,"id":1,"do":"open-sesame"}"#, "operation-unknown"),
        (#"{"v":1,"id":1,"do":"journal","from":"one"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"journal","lane":3}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"journal","unproven":3}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"journal-prove"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"journal-prove","sequence":0}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"journal-prove","sequence":"17"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"journal-verify","unproven":3}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"journal-verify","after":7}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"journal-verify","after":7,"head":"a5"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"journal-verify","head":"a5"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"test-lane"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"test-lane","lane":"main"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"test-lane","lane":"main","action":"open"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"test-lane","lane":"main","action":"begin"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"test-lane","lane":"main","action":"begin","inputs":120001}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"test-lane","lane":"main","action":"begin","inputs":-1}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"test-lane","lane":"main","action":"follow","test":0,"after":0}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"test-lane","lane":"main","action":"skip"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"test-lane","action":"stop","test":1}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"lane"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"lane-act","lane":"main"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"lane-act","action":"free"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"lane-act","lane":"main","action":"explode"}"#, "action-unknown"),
        (#"{"v":1,"id":1,"do":"lane-act","lane":"main","action":"hold-open","direction":"up"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"lane-act","lane":"main","action":"free","direction":"in"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"lane-act","lane":"main","action":"hold-open","for":0}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"lane-act","lane":"main","action":"hold-open","for":"5"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"lane-act","lane":"main","action":"normal","for":5}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"lane-act","lane":"main","action":"release","for":5}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"lane-act","lane":"main","action":"toggle"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"passback","zone":3}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"passback-reset","subject":[]}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"explain"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"explain","subject":""}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"explain","subject":"ada","key":"01020304"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"explain","key":"010203"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"explain","key":"ada"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"explain","subject":"ada","at":-1}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"explain","subject":"ada","at":253402300800}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"explain","subject":"ada","lane":7}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"simulate","line":"fire"}"#, "request-malformed"),
        (#"{"v":1,"id":1,"do":"simulate","on":true}"#, "request-malformed"),
    ])
    func aBadRequestIsNamed(line: String, code: String) {
        #expect(throws: ControlError(code: code, message: "")) { try ControlRequest(parsing: Array(line.utf8)) }
    }

    @Test func aPageOfTheJournalIsBounded() throws {
        let line = #"{"v":1,"id":1,"do":"journal","from":-5,"limit":1000000}"#
        let request = try ControlRequest(parsing: Array(line.utf8))
        #expect(request.operation == .journal(JournalQuery(from: 1, limit: JournalQuery.largestPage)))
    }

    @Test func anAnswerReadsBackAsItself() throws {
        let good = ControlResponse(id: 1, result: .success(["lanes": ["main"]]))
        #expect(try ControlResponse(parsing: good.line) == good)
        let bad = ControlResponse(id: 2, result: .failure(.notPermitted(toLessThan: .operator)))
        #expect(try ControlResponse(parsing: bad.line) == bad)
    }

    @Test func anEventIsOneLineWithItsKindAndTime() throws {
        let event = GateEvent(.relay, time: 5, fields: ["lane": "main", "energised": true, "event": "forged"])
        let json = try JSON.parse(event.line)
        #expect(json["event"]?.string == "relay")
        #expect(json["time"]?.integer == 5)
        #expect(json["energised"]?.bool == true)
    }
}
