import Testing

@testable import Controller
@testable import Sync

/// Until when a gate can take what is new (S2).
@Suite struct RoleEndsTests {
    static let day: Int64 = 86_400, now: Int64 = 1_800_000_000

    private func code(_ times: [String: Int64]) -> String? { RoleEnds(times: times.mapValues { Self.now + $0 }).warning(at: Self.now)?.code }

    @Test func theFirstOneCounts() throws {
        let first = try #require(RoleEnds(times: ["root": 30, "timestamp": 10, "people": 20]).first)
        #expect(first.role == "timestamp" && first.time == 10)
        #expect(RoleEnds(times: [:]).first == nil && RoleEnds(times: [:]).warning(at: 0) == nil)
    }

    /// A timestamp counts for three days and is signed anew each day: nobody has to hear of that.
    @Test func aWordComesInTimeForThoseWhoHaveToSign() {
        #expect(code(["root": 300 * Self.day, "targets": 15 * Self.day, "people": 2 * Self.day, "timestamp": 2 * Self.day]) == nil)
        #expect(code(["targets": 14 * Self.day]) == "sync-ends-soon")
        #expect(code(["root": 1]) == "sync-ends-soon")
        #expect(code(["timestamp": Self.day + 1]) == nil)
        #expect(code(["timestamp": Self.day]) == "sync-ends-soon")
        #expect(code(["people": 0]) == "sync-ended")
    }

    @Test func whatHasEndedIsNamedBeforeWhatWill() throws {
        let warning = try #require(RoleEnds(times: ["root": Self.now + 10, "timestamp": Self.now - 10]).warning(at: Self.now))
        #expect(warning.code == "sync-ended" && warning.message.contains("timestamp") && warning.message.contains("revocations"))
    }

    @Test func whatIsRememberedIsTheSame() throws {
        let ends = RoleEnds(times: ["root": 4_000_000_000, "targets": 1])
        #expect(RoleEnds(ends.cbor) == ends)
        #expect(RoleEnds(.array([.text("root")])) == nil && RoleEnds(.text("root")) == nil)
    }
}
