import Encoding
import Storage
import Testing

@testable import Controller

/// The age of site data by hours of service, at a gate (S2).
@Suite(.serialized) struct ServiceAgeTests {
    static let day: Int64 = 86_400_000

    /// As if the gate had served that long since it took its data: its file is written by nobody else meanwhile.
    private func serve(_ milliseconds: Int64, in site: TestSite) throws {
        try TrustAge(directory: site.path("state"), at: 0).end(at: milliseconds)
    }

    private func service(_ gate: Controller) -> Int64? { gate.status["trust"]?["age"]?["service"]?.integer }

    @Test func afterThirtyDaysOfServiceTokensAreRefusedWhateverTheClockSays() throws {
        let site = try TestSite()
        try site.configure(lane: "cooldown-success-ms = 0\ncooldown-failure-ms = 0", more: "[audit]\nwait-ms = 250\ndurable-within-ms = 2000")
        let first = try site.controller()
        try site.publish(to: first)
        first.stop()
        try serve(30 * Self.day + 1000, in: site)

        let gate = try site.controller()
        let wall = try #require(gate.status["trust"]?["age"]?["wall"]?.integer)
        #expect(wall < 3600, "the clock calls them fresh")
        #expect(try #require(service(gate)) >= 30 * 86400)
        #expect(gate.status["trust"]?["warning"]?["code"]?.string == "trust-data-stale")
        let phone = try site.phone()
        _ = gate.present(phone, at: "entry")
        #expect(try gate.records().last?["reason"]?.string == "trust-data-stale")

        try site.publish(asAFolder: true, to: gate)
        #expect(try #require(service(gate)) < 3600)
        #expect(gate.status["trust"]?["warning"] == nil)
        let next = try site.phone()
        _ = gate.present(next, at: "entry")
        #expect(next.reason == .granted)
    }

    @Test func theSamePublicationOnceMoreMakesNothingFresh() throws {
        let site = try TestSite()
        let first = try site.controller()
        try site.publish(to: first)
        first.stop()
        try serve(2 * Self.day, in: site)

        let gate = try site.controller()
        try site.bring(to: gate)
        #expect(try #require(service(gate)) >= 2 * 86400)
        #expect(gate.status["trust"]?["warning"]?["code"]?.string == "trust-data-old")
    }
}
