import PhoneProtocol
import Synchronization
import Testing

@testable import Controller
@testable import Tap

@Suite("Ephemeral keys made ahead") struct EphemeralSupplyTests {
    /// Makes keys and counts them, until it cannot.
    private final class Workshop: Sendable {
        let made = Atomic(0)
        let isOpen = Atomic(true)

        func make() -> EphemeralKey? {
            guard isOpen.load(ordering: .relaxed) else { return nil }
            made.add(1, ordering: .relaxed)
            return try? EphemeralKey.generateOnBothCurves()
        }

        var count: Int { made.load(ordering: .relaxed) }
    }

    private func supply(_ workshop: Workshop, conversations: Int = 1) -> EphemeralSupply {
        EphemeralSupply(conversations: conversations) { workshop.make() }
    }

    private func next(_ count: Int, from supply: EphemeralSupply) -> Int {
        (0..<count).count { _ in supply.next() != nil }
    }

    @Test func theFirstConversationFindsBothItsKeys() {
        let workshop = Workshop()
        let supply = supply(workshop)
        #expect(workshop.count == 2)
        #expect(next(2, from: supply) == 2 && workshop.count == 2, "none is made while somebody waits")
        #expect(next(1, from: supply) == 1 && workshop.count == 3, "unless there is none")
    }

    @Test func eachRefillServesOneMoreConversationUpToThoseThatMayBe() {
        let workshop = Workshop()
        let supply = supply(workshop, conversations: 3)
        for made in [4, 6, 6] {
            supply.refill()
            #expect(workshop.count == made)
        }
        #expect(next(6, from: supply) == 6 && workshop.count == 6)
        supply.refill()
        #expect(workshop.count == 8)
    }

    /// What comes back serves the next conversation in the place of a new one, and there are never more than may be.
    @Test func aKeyThatNobodySawIsNotMadeAnew() throws {
        let workshop = Workshop()
        let supply = supply(workshop)
        for _ in 0..<3 {
            guard let key = supply.next(), let spare = supply.next() else {
                Issue.record("no key")
                return
            }
            _ = consume key
            supply.putBack(spare)
            supply.refill()
        }
        #expect(workshop.count == 5, "two at first, and one for each conversation")
        supply.putBack(try EphemeralKey.generateOnBothCurves())
        #expect(next(3, from: supply) == 3 && workshop.count == 6, "the supply was full")
    }

    /// What is made ahead serves a phone of any suite: a gate that names a suite in SUITES_R has a key for it.
    @Test(arguments: CipherSuite.ofGates) func whatIsMadeAheadServesEverySuite(suite: CipherSuite) throws {
        let supply = EphemeralSupply()
        guard let key = supply.next() else {
            Issue.record("no key")
            return
        }
        var gate = EDHOCResponder(methods: [.bothSign], suites: CipherSuite.ofGates, connectionIdentifier: [0], ephemeral: key)
        var phone = EDHOCInitiator(
            method: .bothSign, suites: [suite.rawValue], connectionIdentifier: [0], ephemeral: try .generate(for: suite))
        #expect(try gate.receiveMessage1(try phone.makeMessage1()).suite == suite)
    }

    @Test func aLibraryThatMakesNoneIsAskedAgain() {
        let workshop = Workshop()
        workshop.isOpen.store(false, ordering: .relaxed)
        let supply = supply(workshop)
        #expect(next(1, from: supply) == 0)
        workshop.isOpen.store(true, ordering: .relaxed)
        #expect(next(1, from: supply) == 1)
        supply.refill()
        #expect(next(2, from: supply) == 2 && workshop.count == 3)
    }
}
