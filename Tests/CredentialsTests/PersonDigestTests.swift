import Encoding
import Testing

@testable import Credentials

@Suite struct PersonDigestTests {
    /// printf %s ada | sha256sum
    @Test func itIsTheBeginningOfTheHash() {
        #expect(Hex.encode(PersonDigest(subject: "ada").bytes) == "fdee430d40bd57deeac186cd9790033d")
    }

    @Test func itReadsBack() {
        let ada = PersonDigest(subject: "ada")
        #expect(PersonDigest(bytes: ada.bytes) == ada)
        #expect(PersonDigest(bytes: Array(ada.bytes.dropLast())) == nil)
        #expect(PersonDigest(bytes: ada.bytes + [0]) == nil)
        #expect(ada != PersonDigest(subject: "Ada"))
    }
}
