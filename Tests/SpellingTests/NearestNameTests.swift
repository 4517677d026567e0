@testable import Spelling
import Testing

@Suite("The name somebody probably meant")
struct NearestNameTests {
    @Test("Suggestions", arguments: [
        ("pluse-ms", "pulse-ms"), ("pulse", "pulse-ms"), ("Pulse_MS", "pulse-ms"), ("cihp", "chip"), ("aktiv", "active")
    ])
    func nearest(written: String, meant: String) {
        #expect(NearestName.find(written, among: ["chip", "line", "active", "pulse-ms"]) == meant)
    }

    @Test("No suggestion where nothing is near", arguments: ["", "x", "colour", "chi p p p", "l"])
    func nothingNear(written: String) {
        #expect(NearestName.find(written, among: ["chip", "line", "active", "pulse-ms"]) == nil)
    }

    @Test("The distance counts letters wrong", arguments: [
        ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3)
    ])
    func distance(a: String, b: String, expected: Int) {
        #expect(NearestName.distance(a, b) == expected)
    }
}
