import Configuration
import Gate
import Lines
import Testing

@testable import Controller
@testable import Lanes

@Suite("What lanes learn of contacts (L3, L4)") struct InputBoardTests {
    static let text = """
        [site]
        id = "hill"
        [gate]
        id = "gate-1"
        signing-key = "/keys/sign"
        [trust]
        root = "/keys/root.json"
        [inputs.fire]
        chip = "simulated"
        line = 10
        debounce-ms = 30
        [inputs.fire-open]
        chip = "simulated"
        line = 11
        [[lane]]
        name = "west"
        relay = { chip = "simulated", line = 1 }
        inputs.passage-in = { chip = "simulated", line = 2 }
        inputs.switch = { chip = "simulated", line = 3, mode = "closed" }
        [[lane]]
        name = "east"
        relay = { chip = "simulated", line = 4 }
        inputs.passage-in = { chip = "simulated", line = 5, debounce-ms = 5 }
        [[reader]]
        name = "w"
        lane = "west"
        match = { serial = "A1" }
        [[reader]]
        name = "e"
        lane = "east"
        match = { serial = "A2" }
        """

    static func configuration() throws -> GateConfiguration {
        try ConfigurationFile.parse(Array(text.utf8), name: "t.toml").configuration
    }

    /// A board on which everything was found inactive at time 0, and told.
    static func board() throws -> InputBoard {
        var board = InputBoard(try configuration())
        for line in ["gate:fire", "gate:fire-open", "west-passage-in", "west-switch", "east-passage-in"] {
            _ = board.receive(LineEvent(line, .found(active: false), nanoseconds: 0))
        }
        _ = board.advance(to: Instant(milliseconds: 100))
        return board
    }

    static func moved(_ line: LineName, _ active: Bool, at milliseconds: Int64) -> LineEvent {
        LineEvent(line, .moved(active: active), nanoseconds: milliseconds * 1_000_000 + 999_999)
    }

    static func delivery(_ lane: String?, _ kind: InputKind, _ state: InputState, at milliseconds: Int64, isFound: Bool = false,
                         isStuck: Bool = false) -> InputBoard.Delivery {
        .init(lane: lane, change: InputChange(kind, state, isFound: isFound), at: Instant(milliseconds: milliseconds), isStuck: isStuck)
    }

    @Test func eachLineIsAskedForUnderTheNameThatTheBoardKnows() throws {
        let configuration = try Self.configuration()
        let asked = LineRequest.all(of: configuration).filter { $0.direction == .input }.map(\.name)
        #expect(asked.sorted() == InputBoard(configuration).reports.flatMap(\.lines).sorted())
        #expect(asked.count == 5)
    }

    @Test func aContactConcernsItsLaneAndAGatesContactAll() throws {
        var board = try Self.board()
        _ = board.receive(Self.moved("east-passage-in", true, at: 1000))
        _ = board.receive(Self.moved("gate:fire", true, at: 1000))
        _ = board.receive(Self.moved("gate:fire-open", true, at: 1000))
        #expect(board.nextChange == Instant(milliseconds: 1005))
        #expect(board.advance(to: Instant(milliseconds: 1029)) == [Self.delivery("east", .passageIn, .active, at: 1005)])
        #expect(board.advance(to: Instant(milliseconds: 1030)) == [Self.delivery(nil, .fire, .active, at: 1030)])
    }

    @Test func aPassageThatIsOverIsToldWithBothItsEdges() throws {
        var board = try Self.board()
        #expect(board.receive(Self.moved("west-passage-in", true, at: 1000)) == nil)
        #expect(board.receive(Self.moved("west-passage-in", false, at: 1030)) == Self.delivery("west", .passageIn, .active, at: 1020))
        #expect(board.advance(to: Instant(milliseconds: 8000)) == [Self.delivery("west", .passageIn, .inactive, at: 1050)])
    }

    @Test func thatAllIsWellAtTheStartIsNoNews() throws {
        var board = InputBoard(try Self.configuration())
        _ = board.receive(LineEvent("west-passage-in", .found(active: false), nanoseconds: 0))
        #expect(board.reports.allSatisfy { $0.state == nil })
        #expect(board.advance(to: Instant(milliseconds: 20)) == [])
        #expect(board.reports.filter { $0.state == .inactive }.map(\.lines) == [["west-passage-in"]])
    }

    @Test func whatIsActiveAtTheStartIsStuckUntilItWasNot() throws {
        var board = InputBoard(try Self.configuration())
        _ = board.receive(LineEvent("west-passage-in", .found(active: true), nanoseconds: 0))
        _ = board.receive(LineEvent("west-switch", .found(active: true), nanoseconds: 0))
        #expect(board.advance(to: Instant(milliseconds: 20)) == [
            Self.delivery("west", .passageIn, .active, at: 20, isFound: true, isStuck: true),
            Self.delivery("west", .modeSwitch, .active, at: 20, isFound: true) // a switch stays as it was turned
        ])
        #expect(board.reports.filter(\.isStuck).map(\.kind) == [.passageIn])
        _ = board.receive(Self.moved("west-passage-in", false, at: 500))
        #expect(board.advance(to: Instant(milliseconds: 520)) == [Self.delivery("west", .passageIn, .inactive, at: 520)])
        #expect(board.reports.allSatisfy { !$0.isStuck })
        _ = board.receive(Self.moved("west-passage-in", true, at: 600))
        #expect(board.advance(to: Instant(milliseconds: 620)) == [Self.delivery("west", .passageIn, .active, at: 620)])
    }

    @Test func aLostLineIsToldAfterItsPatience() throws {
        var board = try Self.board()
        _ = board.receive(LineEvent("gate:fire-open", .lost, nanoseconds: 1_000_000_000))
        #expect(board.advance(to: Instant(milliseconds: 3999)) == [])
        #expect(board.advance(to: Instant(milliseconds: 4000)) == [Self.delivery(nil, .fire, .faulty(.unseen), at: 4000)])
        #expect(board.reports.filter { $0.state == .faulty(.unseen) }.allSatisfy { $0.concerns("west") && $0.concerns("east") })
    }

    @Test func linesOfNoInputAreNobodysBusiness() throws {
        var board = try Self.board()
        #expect(board.receive(Self.moved("west-relay", true, at: 1000)) == nil)
        #expect(board.nextChange == nil)
    }
}
