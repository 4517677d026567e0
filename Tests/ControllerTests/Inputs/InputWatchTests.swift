import Configuration
import Foundation
import Gate
import Lines
import Service
import Testing
import Threads
import Waits

@testable import Controller
@testable import Lanes

/// The thread that listens, on simulated lines.
@Suite("The thread of all inputs") struct InputWatchTests {
    /// A watch on the contacts of `InputBoardTests.text`, and what it has delivered.
    private struct Listening {
        let bank: SimulatedLineBank
        let watch: InputWatch
        let told = Monitor<[InputBoard.Delivery]>([])

        init(loops: Loops = Loops()) throws {
            let configuration = try InputBoardTests.configuration()
            bank = SimulatedLineBank(LineRequest.all(of: configuration))
            watch = try InputWatch(InputBoard(configuration), bank: bank, loops: loops, log: LogOutput(LogSettings(configuration.log)).log("lines"))
            try watch.start { [told] delivery in told.change { $0.append(delivery) } }
        }

        /// What a contact was delivered as, in order, once there are so many.
        func states(_ lane: String?, _ kind: InputKind, count: Int) throws -> [InputState] {
            try told.wait(for: "\(kind) \(count) times") { told in
                let states = told.filter { $0.lane == lane && $0.change.kind == kind }.map(\.change.state)
                return states.count >= count ? states : nil
            }
        }
    }

    @Test func bothEdgesOfEveryContactAreDelivered() throws {
        let listening = try Listening()
        try listening.bank.drive("west-passage-in", active: true)
        #expect(try listening.states("west", .passageIn, count: 1) == [.active])
        try listening.bank.drive("west-passage-in", active: false)
        #expect(try listening.states("west", .passageIn, count: 2) == [.active, .inactive])
        listening.watch.stop()
    }

    @Test func aPassageIsNotMissedWhileTheThreadIsHeldUp() throws {
        let gate = Monitor((isShut: false, isHeld: false))
        let listening = try Listening(loops: Loops(limit: 60_000, onRound: { name in
            guard name == "inputs" else { return }
            gate.change { $0.isHeld = $0.isShut }
            gate.hold("the thread of all inputs") { $0.isShut }
        }))
        gate.change { $0.isShut = true }
        try listening.bank.drive("east-passage-in", active: true)
        try gate.wait(for: "the thread to be held up") { $0.isHeld ? () : nil }
        // All of this happens while nobody listens: a passage of 30 ms, with a contact that bounces.
        try listening.bank.drive("west-passage-in", active: true)
        try listening.bank.drive("west-passage-in", active: false)
        try listening.bank.drive("west-passage-in", active: true)
        letTimePass(.milliseconds(30), because: "so long is the passage")
        try listening.bank.drive("west-passage-in", active: false)
        gate.change { $0.isShut = false }
        #expect(try listening.states("west", .passageIn, count: 2) == [.active, .inactive])
        listening.watch.stop()
    }

    @Test func aGateWithoutContactsHasNoSuchThread() throws {
        let loops = Loops()
        let configuration = try ConfigurationFile.parse(Array(Self.plain.utf8), name: "t.toml").configuration
        let watch = try InputWatch(InputBoard(configuration), bank: SimulatedLineBank(LineRequest.all(of: configuration)), loops: loops,
                                   log: LogOutput(LogSettings(configuration.log)).log("lines"))
        try watch.start { _ in }
        #expect(loops.states.isEmpty)
        watch.stop()
    }

    private static let plain = InputBoardTests.text.split(separator: "\n").filter { !$0.contains("inputs.") }.joined(separator: "\n")
        .replacing(/(chip = "simulated"\nline = 1[01]\n)|(debounce-ms = 30\n)/, with: "")
}
