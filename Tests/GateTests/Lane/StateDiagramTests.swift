import Credentials
import Foundation
import Gate
import Testing

/// The states of docs/lane.md against the machine: every state, with everything that can happen to it.
@Suite("What a lane can become, as docs/lane.md says") struct StateDiagramTests {
    /// What happens, in the words of the document.
    enum Happening: String, CaseIterable {
        case phone, grant, denial, readingOver = "talk over", passage, through, exit, tamper, lockdown, open, close, normal, fire
        case fireOver = "fire over", fault, fixed, time
    }

    static let rules: LaneRules = {
        var rules = LaneRules()
        rules.inputs = [.passageIn, .passageOut]
        rules.hasRelayOut = true
        rules.onFire = .release(.out)
        return rules
    }()

    private static let start = Instant(milliseconds: 0)
    private static let requester = Requester(user: 0, process: 1)

    /// How each state is reached, by the shortest way.
    static let ways: [(state: String, way: [Happening])] = [
        ("idle", []), ("reading", [.phone]), ("granted", [.grant]), ("passing", [.grant, .passage]), ("denied", [.denial]),
        ("held-open", [.open]), ("locked-down", [.lockdown]), ("free-passage", []), ("closed", [.close]), ("alarm", [.passage, .through]),
        ("fault", [.fault]), ("fire", [.fire])
    ]

    static func lane(_ state: String, _ way: [Happening]) -> Lane {
        var lane = Lane(rules: rules)
        // The mode that only a schedule sets.
        if state == "free-passage" { _ = lane.setMode(bySchedule: ModeRequest(.freePassage), at: start) }
        for happening in way { happen(happening, &lane) }
        // The pulse is over by then.
        if state == "passing" { _ = lane.advance(to: start + rules.pulse) }
        return lane
    }

    static func happen(_ happening: Happening, _ lane: inout Lane) {
        switch happening {
        case .phone: _ = lane.beginReading(at: start)
        case .readingOver: _ = lane.endReading(at: start)
        case .grant: _ = lane.open(lane.reserve(.in, for: .nfc, at: start), for: GrantIdentity(outcome: 1), at: start)
        case .denial: _ = lane.deny(over: .nfc, countsAsFailure: false, at: start)
        case .passage: _ = lane.input(InputChange(.passageIn, .active), at: start)
        case .through: _ = lane.input(InputChange(.passageIn, .inactive), at: start)
        case .exit: _ = lane.input(InputChange(.requestToExit, .active), at: start)
        case .tamper: _ = lane.input(InputChange(.tamper, .active), at: start)
        case .lockdown: _ = lane.setMode(ModeRequest(.lockedDown), by: requester, at: start)
        case .open: _ = lane.setMode(ModeRequest(.heldOpen), by: requester, at: start)
        case .close: _ = lane.setMode(ModeRequest(.closed), by: requester, at: start)
        case .normal: _ = lane.setMode(nil, by: requester, at: start)
        case .fire: _ = lane.input(InputChange(.fire, .active), at: start)
        case .fireOver: _ = lane.input(InputChange(.fire, .inactive), at: start)
        case .fault: _ = lane.setFaults([.reader])
        case .fixed: _ = lane.setFaults([])
        case .time:
            // Until it is another state, or nothing is left to happen.
            let before = lane.state.code
            while let next = lane.nextChange, lane.state.code == before { _ = lane.advance(to: next) }
        }
    }

    /// `from happening to`, for everything that makes another state of one.
    static let found: Set<String> = {
        var found: Set<String> = []
        for (state, way) in ways {
            for happening in Happening.allCases {
                var lane = lane(state, way)
                happen(happening, &lane)
                if lane.state.code != state { found.insert("\(state) \(happening.rawValue) \(lane.state.code)") }
            }
        }
        return found
    }()

    private static let page: String = {
        let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return (try? String(contentsOf: top.appendingPathComponent("docs/lane.md"), encoding: .utf8)) ?? ""
    }()

    @Test(arguments: ways.map(\.state)) func everyStateIsReached(state: String) throws {
        let way = try #require(Self.ways.first { $0.state == state }).way
        #expect(Self.lane(state, way).state.code == state)
    }

    @Test func theTableSaysWhatTheLaneDoes() {
        var written: Set<String> = []
        for line in Self.page.split(separator: "\n") where line.hasPrefix("| `") && line.contains("→") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            for change in cells[2].split(separator: ";") {
                let sides = change.components(separatedBy: " → ")
                for happening in sides[0].split(separator: ",") {
                    written.insert("\(cells[0]) \(happening.trimmingCharacters(in: .whitespaces)) \(sides[1])".replacing("`", with: ""))
                }
            }
        }
        #expect(written.subtracting(Self.found) == [], "the document knows more than the lane does")
        #expect(Self.found.subtracting(written) == [], "the lane does more than the document knows")
    }

    /// The diagram shows the states of a lane that nothing overrides, all of their changes and no others.
    @Test func theDiagramSaysWhatTheLaneDoes() {
        let core: Set<String> = ["idle", "reading", "granted", "passing", "denied"]
        var drawn: Set<String> = []
        for edge in Self.page.matches(of: /(?m)^ +([a-z]+) --> ([a-z]+): ([a-z ,]+)$/) {
            for happening in String(edge.3).split(separator: ",") {
                drawn.insert("\(edge.1) \(happening.trimmingCharacters(in: .whitespaces)) \(edge.2)")
            }
        }
        let inside = Self.found.filter { change in
            let words = change.split(separator: " ").map(String.init)
            return core.contains(words[0]) && core.contains(words[words.count - 1])
        }
        #expect(!drawn.isEmpty)
        #expect(drawn == inside, "\(drawn.symmetricDifference(inside).sorted())")
    }
}
