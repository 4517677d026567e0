import Synchronization
import Testing

import Lines

@Suite struct SimulatedLineBankTests {
    /// What an observer was told.
    final class Record: Sendable {
        struct Move: Equatable, Sendable {
            let line: LineName
            let active: Bool
            let microseconds: Int64
        }

        private let list = Mutex<[Move]>([])
        var moves: [Move] { list.withLock { $0 } }

        func add(_ line: LineName, _ active: Bool, _ microseconds: Int64) {
            list.withLock { $0.append(Move(line: line, active: active, microseconds: microseconds)) }
        }
    }

    static let relay = LineRequest(name: "relay", chip: "simulated", line: .offset(0))
    static let light = LineRequest(name: "light", chip: "simulated", line: .offset(1), activeLow: true)
    static let exit = LineRequest(name: "exit", chip: "simulated", line: .offset(2), direction: .input)

    let record = Record()
    let bank: SimulatedLineBank

    init() {
        let record = record
        bank = SimulatedLineBank([Self.relay, Self.light, Self.exit]) { record.add($0, $1, $2) }
    }

    @Test func outputsAreInactiveFromTheStart() {
        #expect(bank.isActive("relay") == false)
        #expect(bank.isActive("light") == false)
        #expect(bank.isActive("exit") == nil)
        #expect(bank.faults.isEmpty)
        #expect(record.moves.isEmpty)
    }

    @Test func theObserverSeesEveryMoveInOrder() throws {
        try bank.set("relay", active: true)
        try bank.set("light", active: true)
        try bank.set("relay", active: false)
        #expect(record.moves.map(\.line) == ["relay", "light", "relay"])
        #expect(record.moves.map(\.active) == [true, true, false])
        let times = record.moves.map(\.microseconds)
        #expect(times == times.sorted())
        #expect(bank.isActive("relay") == false)
        #expect(bank.isActive("light") == true)
    }

    @Test func releaseTakesOnlyActiveOutputsBackAndEndsEverything() throws {
        try bank.set("relay", active: true)
        bank.release()
        bank.release()
        #expect(record.moves.map(\.line) == ["relay", "relay"])
        #expect(record.moves.last?.active == false)
        #expect(throws: LineError.released) { try bank.set("relay", active: true) }
        #expect(throws: LineError.released) { try bank.read("exit") }
    }

    @Test func inputsFollowWhatDrivesThem() throws {
        #expect(try bank.read("exit") == false)
        try bank.drive("exit", active: true)
        #expect(try bank.read("exit"))
    }

    @Test func anOutputReadsBackAsItIs() throws {
        #expect(try bank.readBack("relay") == false)
        try bank.set("relay", active: true)
        #expect(try bank.readBack("relay"))
        #expect(throws: LineError.unknown(name: "exit")) { try bank.readBack("exit") }
        bank.fail("relay", with: .failed(doing: "Reading the relay", errno: 5))
        #expect(throws: LineError.failed(doing: "Reading the relay", errno: 5)) { try bank.readBack("relay") }
        bank.release()
        #expect(throws: LineError.released) { try bank.readBack("relay") }
    }

    @Test func aLineIsUsedOnlyAsItWasAskedFor() {
        #expect(throws: LineError.unknown(name: "exit")) { try bank.set("exit", active: true) }
        #expect(throws: LineError.unknown(name: "relay")) { try bank.read("relay") }
        #expect(throws: LineError.unknown(name: "relay")) { try bank.drive("relay", active: true) }
        #expect(record.moves.isEmpty)
    }

    @Test func aBrokenLineThrowsUntilItIsFixed() throws {
        bank.fail("relay", with: .failed(doing: "Setting the relay", errno: 5))
        #expect(throws: LineError.failed(doing: "Setting the relay", errno: 5)) { try bank.set("relay", active: true) }
        #expect(bank.isActive("relay") == false)
        bank.fail("relay", with: nil)
        try bank.set("relay", active: true)
        #expect(bank.isActive("relay") == true)
    }

    @Test func aNameUsedTwiceIsAFaultOfThatLineOnly() throws {
        let twice = LineRequest(name: "relay", chip: "simulated", line: .offset(7))
        let bank = SimulatedLineBank([Self.relay, twice, Self.light])
        #expect(bank.faults == ["relay": .requestedTwice(name: "relay")])
        #expect(throws: LineError.requestedTwice(name: "relay")) { try bank.set("relay", active: true) }
        try bank.set("light", active: true)
    }

    // Events of inputs ------------------------------------------------------------------------------

    private static func contact(_ name: LineName) -> LineRequest {
        LineRequest(name: name, chip: "simulated", line: .offset(0), direction: .input)
    }

    @Test func inputsTellHowTheyAreAndWhatMovesThem() throws {
        let bank = SimulatedLineBank([Self.contact("door"), Self.contact("stuck")], wiredActive: ["stuck"])
        #expect(bank.inputDescriptor != nil)
        #expect(Set(bank.drainInputEvents().map { [$0.line: $0.happening] })
            == [["door": .found(active: false)], ["stuck": .found(active: true)]])
        #expect(bank.foundActive.isEmpty)
        try bank.drive("door", active: true)
        try bank.drive("door", active: true)
        try bank.drive("door", active: false)
        let events = bank.drainInputEvents()
        #expect(events.map(\.happening) == [.moved(active: true), .moved(active: false)], "what changes nothing is no edge")
        #expect(events[0].nanoseconds <= events[1].nanoseconds)
        #expect(bank.drainInputEvents().isEmpty)
    }

    @Test func eventsThatNobodyFetchesDoNotPileUp() throws {
        let bank = SimulatedLineBank([Self.contact("door")])
        for turn in 0..<5001 { try bank.drive("door", active: turn % 2 == 0) }
        let events = bank.drainInputEvents()
        #expect(events.count <= 1024)
        #expect(events.contains { $0.happening == .resumed(active: true) || $0.happening == .resumed(active: false) })
        #expect(events.last?.happening == .moved(active: true) || events.last?.happening == .resumed(active: true))
    }

    @Test func aBankWithoutInputsTellsNothing() {
        let bank = SimulatedLineBank([LineRequest(name: "relay", chip: "simulated", line: .offset(0))])
        #expect(bank.inputDescriptor == nil)
        #expect(bank.drainInputEvents().isEmpty)
    }
}
