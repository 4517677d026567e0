@testable import Configuration
import Testing

/// Where a gate fetches its site data, and what belongs together (S1, S4).
@Suite struct SyncSettingsTests {
    /// The smallest configuration of a gate that may synchronise.
    static let gate = Sample.smallest
    /// One that stands alone.
    static let alone = Sample.smallest.replacing("root = \"/keys/root.json\"", with: "site-file = \"/site.toml\"")

    private func loaded(_ text: String) throws -> LoadedConfiguration { try ConfigurationFile.parse(Array(text.utf8), name: "tapstile.toml") }

    private func codes(_ text: String) -> [String] {
        do {
            return try loaded(text).warnings.map(\.code)
        } catch let error as InvalidConfiguration {
            return error.issues.map(\.code)
        } catch {
            return ["\(error)"]
        }
    }

    @Test func withoutAnAddressNothingIsFetched() throws {
        let configuration = try loaded(Self.gate).configuration
        #expect(configuration.sync == nil)
        #expect(configuration.trust.root == "/keys/root.json")
        #expect(configuration.trust.siteFile == nil)
        #expect(try loaded(Self.gate + "\n[sync]\n").configuration.sync == nil)
    }

    @Test func anAddressIsEnough() throws {
        let sync = try loaded(Self.gate + "\n[sync]\nurl = \"https://gates.example/site\"").configuration.sync
        #expect(sync == SyncSettings(url: "https://gates.example/site"))
        #expect(sync?.intervalMinutes == 15 && sync?.startSpreadSeconds == 30 && sync?.minimumRate == 1024 && sync?.socket == "/run/tapstile-net/fetch.sock")
    }

    @Test func gatesMayStartTogetherOrOverAnHour() throws {
        for seconds in [0, 3600] {
            let loaded = try loaded(Self.gate + "\n[sync]\nurl = \"https://a\"\nstart-spread-seconds = \(seconds)")
            #expect(loaded.configuration.sync?.startSpreadSeconds == seconds)
            #expect(loaded.effectiveText.contains("start-spread-seconds = \(seconds)"))
        }
    }

    @Test(arguments: [
        ("interval-minutes = 5", "missing-setting"), ("url = \"gates.example\"", "bad-text"), ("url = \"https://\"", "bad-text"),
        ("url = \"ftp://a\"", "bad-text"), ("url = \"https://me:secret@a\"", "bad-text"), ("url = \"https://a?x=1\"", "bad-text"),
        ("url = \"https://a/#b\"", "bad-text"), ("url = \"https://a b\"", "bad-text"), ("url = \"https://é\"", "bad-text"),
        ("url = \"https://a\"\ninterval-minutes = 0", "out-of-range"), ("url = \"https://a\"\nminimum-rate = 0", "out-of-range"),
        ("url = \"https://a\"\nstart-spread-seconds = 3601", "out-of-range"), ("url = \"https://a\"\nstart-spread-seconds = -1", "out-of-range"),
        ("url = \"https://a\"\nclient-key = \"/k\"", "missing-setting"), ("url = \"https://a\"\nclient-certificate = \"/c\"", "missing-setting"),
        ("url = \"http://a\"", "sync-in-the-clear"), ("url = \"https://a\"\ntargets-url = \"http://b\"", "sync-in-the-clear"),
        ("url = \"https://a\"\nintervall-minutes = 5", "unknown-setting"), ("url = \"https://a/b/../c\"", "bad-text"),
        ("url = \"https://a/%2F\"", "bad-text"), ("url = \"https://a.\"", "bad-text"),
        ("url = \"https://a\"\nmore-urls = [\"https://b\", \"b.example\"]", "bad-address"),
        ("url = \"https://a\"\nlocal-addresses = [\"localhost\"]", "bad-address"),
        ("url = \"https://a\"\nlocal-addresses = [\"127.0.0.0/8\"]", "bad-address"), ("url = \"https://localhost:8443\"", "sync-address-local"),
        ("url = \"https://127.0.0.1\"", "sync-address-local"), ("url = \"https://[::1]/site\"", "sync-address-local"),
        ("url = \"https://a\"\nproxy = \"http://127.0.0.1:3128\"", "sync-address-local"),
        ("url = \"https://a\"\ntargets-url = \"https://169.254.1.1\"", "sync-address-local")
    ])
    func whatCannotBeIsNamed(lines: String, code: String) { #expect(codes(Self.gate + "\n[sync]\n" + lines).contains(code)) }

    @Test func aServerOnThisMachineIsNamedByItsAddress() throws {
        let lines = "\n[sync]\nurl = \"https://127.0.0.1/site\"\nlocal-addresses = [\"127.0.0.1\", \"::1\"]\nmore-urls = [\"https://b/x\"]"
        let sync = try #require(try loaded(Self.gate + lines).configuration.sync)
        #expect(sync.localAddresses == ["127.0.0.1", "::1"])
        #expect(sync.moreURLs == ["https://b/x"])
    }

    @Test func anAddressWithoutARootIsNoOneToBelieve() {
        #expect(codes(Self.alone + "\n[sync]\nurl = \"https://a\"").contains("sync-without-root"))
    }

    @Test func aGateMayKeepItsOwnZonesWhereItSynchronises() throws {
        let own = Self.gate.replacing("root = ", with: "keep = \"own-zones\"\nroot = ")
        #expect(try loaded(own).configuration.trust.keep == .ownZones)
        #expect(try loaded(Self.gate).configuration.trust.keep == .all)
        #expect(codes(Self.alone.replacing("site-file = ", with: "keep = \"own-zones\"\nsite-file = ")).contains("keep-without-root"))
        #expect(!codes(Self.alone.replacing("site-file = ", with: "keep = \"all\"\nsite-file = ")).contains("keep-without-root"))
    }

    /// Who upgrades a gate that took single files is told what to write, once.
    @Test(arguments: ["", "root = \"/keys/root.json\"\n", "site-file = \"/site.toml\"\n"]) func theSiteKeyIsGoneAndSaysWhatTakesItsPlace(more: String) throws {
        let text = Self.gate.replacing("root = \"/keys/root.json\"\n", with: "site-key = \"/keys/site.pub\"\n\(more)")
        do {
            _ = try loaded(text)
            Issue.record("nothing is signed with it any more")
        } catch let error as InvalidConfiguration {
            #expect(error.issues.map(\.code) == ["unknown-setting"])
            #expect(error.issues.allSatisfy { $0.message.contains("root = ") && $0.message.contains("tapstile import FOLDER") })
        }
    }
}
