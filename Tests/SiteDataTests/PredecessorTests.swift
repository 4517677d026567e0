import Encoding
import Testing
@testable import SiteData

/// Two offices at work on copies of one folder: what each makes names what it was made upon.
@Suite("What a publication was made upon (S5)") struct PredecessorTests {
    private static func publication(_ version: UInt64, _ byte: UInt8) -> Predecessor {
        Predecessor(version: version, digest: [UInt8](repeating: byte, count: 32))
    }

    @Test func whatFollowsOnIsNoFork() {
        let used = Self.publication(5, 1)
        #expect(!Predecessor.isFork(from: used, to: Self.publication(6, 2), upon: used))
        #expect(!Predecessor.isFork(from: used, to: Self.publication(9, 2), upon: used))
        #expect(!Predecessor.isFork(from: used, to: used, upon: Self.publication(4, 9)), "the same again")
        #expect(!Predecessor.isFork(from: used, to: Self.publication(9, 2), upon: Self.publication(8, 3)), "what lay between nobody knows here")
        #expect(!Predecessor.isFork(from: used, to: Self.publication(6, 2), upon: nil), "an older office names none")
        #expect(!Predecessor.isFork(from: used, to: Self.publication(4, 2), upon: Self.publication(3, 3)), "what is older is refused elsewhere")
    }

    @Test func whatWasMadeWithoutKnowledgeOfWhatIsInUseIsAFork() {
        let used = Self.publication(5, 1)
        #expect(Predecessor.isFork(from: used, to: Self.publication(6, 2), upon: Self.publication(5, 3)), "upon another one with the same number")
        #expect(Predecessor.isFork(from: used, to: Self.publication(7, 2), upon: Self.publication(4, 3)), "upon one before")
        #expect(Predecessor.isFork(from: used, to: Self.publication(5, 2), upon: nil), "one number, two contents")
    }

    /// Gates of before read the members that they know, and nothing else.
    @Test func aStateWithAPredecessorIsToAnOlderGateWhatItWas() throws {
        let state = SignedState(epoch: 1, version: 6, digest: [UInt8](repeating: 2, count: 32)), before = Self.publication(5, 1)
        let json = state.json(after: before)
        #expect(SignedState(json: json) == state && Predecessor(ofState: json) == before)
        #expect(state.json(after: nil) == state.json && Predecessor(ofState: state.json) == nil)
        for member in [JSON.null, 5, [:], ["version": 0, "digest": .string(Hex.encode(before.digest))], ["version": 5, "digest": "00"]] as [JSON] {
            guard case .object(var object) = json else { return }
            object[Predecessor.member] = member
            #expect(Predecessor(ofState: .object(object)) == nil && SignedState(json: .object(object)) == state)
        }
    }
}
