import Encoding
import SiteData
import Testing

/// Which bundle is fetched.
@Suite struct DeltaChoiceTests {
    private static let offers = [DeltaChoice.Offer(from: 9, length: 10), .init(from: 6, length: 40), .init(from: 1, length: 300)]

    @Test(arguments: zip([UInt64](arrayLiteral: 9, 10, 8, 6, 5, 1), [UInt64](arrayLiteral: 9, 9, 6, 6, 1, 1)))
    func theNearestChanges(_ have: UInt64, _ from: UInt64) {
        #expect(DeltaChoice(having: have, offers: Self.offers, fullLength: 1000) == .changes(since: from))
    }

    @Test func theWholeWhereChangesDoNotReachOrAreLonger() {
        #expect(DeltaChoice(having: nil, offers: Self.offers, fullLength: 1000) == .full)
        #expect(DeltaChoice(having: 0, offers: Self.offers, fullLength: 1000) == .full)
        #expect(DeltaChoice(having: 5, offers: Self.offers, fullLength: 300) == .full)
        #expect(DeltaChoice(having: 5, offers: [], fullLength: 300) == .full)
    }

    @Test func theSignedStateHasOneForm() throws {
        let state = SignedState(epoch: 2, version: 9, digest: [UInt8](repeating: 0xAB, count: 32))
        #expect(SignedState(json: state.json) == state)
        #expect(SignedState(json: nil) == nil)
        let digest = String(repeating: "ab", count: 32)
        let wrong = ["{}", "1", "{\"digest\":\"\(digest)\",\"epoch\":0,\"version\":9}", "{\"digest\":\"\(digest)\",\"epoch\":1,\"version\":-9}",
                     "{\"digest\":\"ab\",\"epoch\":1,\"version\":9}", "{\"digest\":\"\(digest)\",\"epoch\":1.5,\"version\":9}",
                     "{\"digest\":\"\(digest)\",\"epoch\":\"1\",\"version\":9}"]
        for text in wrong { #expect(SignedState(json: try JSON.parse(Array(text.utf8))) == nil, "\(text)") }
    }
}
