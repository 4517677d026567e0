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

    @Test("Names of people", arguments: [
        ("Jose Nunez", "José Núñez"), ("jose\u{301} nu\u{301}n\u{303}ez", "José Núñez"), ("Bem Jones", "Ben Jones"), ("ben_jone", "Ben Jones"), ("Élodie", "elodie"),
        ("ana", "Ana Maria"), ("ELODIE", "elodie"), ("anna-lna", "Anna-Lena"), ("Ana Mria", "Ana Maria")
    ])
    func people(written: String, meant: String) {
        #expect(NearestName.find(written, among: ["José Núñez", "Ben Jones", "elodie", "Elodie Martin", "Ana Maria", "Anna-Lena", "Ana Maria"]) == meant)
    }

    @Test func theBeginningOfSeveralIsNobodys() {
        #expect(NearestName.find("christopher", among: ["Christopher Jones", "Christopher Smith", "Christopher Jones"]) == nil)
    }

    @Test("The distance counts letters wrong", arguments: [
        ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3)
    ])
    func distance(a: String, b: String, expected: Int) {
        #expect(NearestName.distance(Array(a), Array(b)) == expected)
    }
}
