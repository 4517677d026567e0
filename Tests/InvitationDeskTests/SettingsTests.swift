import InvitationDesk
import Invitations
import SeededNumbers
import Testing

/// `settings.toml`: what may stand there, and what is said of all else.
@Suite struct SettingsTests {
    private static let head = """
        site = "north"
        issuer = "visitors"
        url = "https://gates.example/visit"
        listen = "127.0.0.1:8443"
        certificate = "chain.pem"
        key = "/etc/key.pem"
        gates = "gates.phone"

        """

    private func read(_ more: String = "", without: String = "\n", instead: String = "\n") throws(InvalidDeskSettings) -> DeskSettings {
        let text = Self.head.split(separator: "\n").filter { !$0.hasPrefix(without) }.joined(separator: "\n") + "\n" + instead + "\n" + more
        return try DeskSettings.parse(Array(text.utf8), name: "settings.toml", folder: "/desk")
    }

    private func codes(_ more: String = "", without: String = "\n", instead: String = "\n") -> [String] {
        do throws(InvalidDeskSettings) {
            _ = try read(more, without: without, instead: instead)
            return []
        } catch {
            return error.issues.map(\.code)
        }
    }

    @Test func whatIsLeftOutHasAValue() throws {
        let settings = try read()
        #expect(settings.origin == "https://gates.example" && settings.url == "https://gates.example/visit")
        #expect(settings.listen == .address(host: "127.0.0.1", port: 8443))
        #expect(settings.certificate?.certificate == "/desk/chain.pem" && settings.certificate?.key == "/etc/key.pem" && settings.gates == "/desk/gates.phone")
        #expect(settings.tokenValid == 86_400 && settings.services == DeskSettings.usualServices && settings.words.languages == ["en", "de"])
        #expect(settings.operatorPage == nil && settings.pages == nil)
        #expect(settings.link(try #require(InvitationCode(bytes: [UInt8](repeating: 0, count: 16)))) == "https://gates.example/visit/#AAAAAAAAAAAAAAAAAAAAAA")
    }

    @Test func allOfItIsRead() throws {
        let settings = try read("""
            token-valid = "90m"
            services = ["00005301-0010-002A-426C-756549442A00"]
            languages = ["de-CH"]
            pages = "page"
            [[message]]
            language = "de-CH"
            reason = "expired"
            text = "Vorbei."
            [operator]
            url = "https://gates.example:9443"
            listen = "[::1]:9443"
            certificate = "c"
            key = "k"
            client-ca = "ca.pem"
            [attestation]
            applications = ["org.example.gate"]
            signers = ["AA:BB"]
            revoked = "status.json"
            """)
        #expect(settings.attestation == AttestationSettings(applications: ["org.example.gate"], signers: ["AA:BB"], revoked: "/desk/status.json"))
        #expect(settings.tokenValid == 5400 && settings.services == ["00005301-0010-002a-426c-756549442a00"] && settings.pages == "/desk/page")
        #expect(settings.words == SiteWords(languages: ["de-CH"], messages: ["de-CH": ["expired": "Vorbei."]]))
        #expect(settings.operatorPage?.origin == "https://gates.example:9443" && settings.operatorPage?.clientAuthority == "/desk/ca.pem")
        #expect(settings.operatorPage?.listen == .address(host: "::1", port: 9443))
    }

    @Test func anUnknownKeyIsAnErrorWithTheNearestName() {
        do throws(InvalidDeskSettings) {
            _ = try read("token-vaild = \"1h\"")
            Issue.record("it was taken")
        } catch {
            #expect(error.issues.map(\.code) == ["unknown-setting"] && error.issues.first?.suggestion == "token-valid")
            #expect(error.description.hasPrefix("settings.toml:"))
        }
    }

    @Test func whatCannotBeUsedIsSaid() {
        #expect(codes("token-valid = \"59\"") == ["bad-text"])
        #expect(codes("token-valid = \"9223372036854775807d\"") == ["bad-text"])
        #expect(codes("services = [\"x\"]") == ["bad-text"])
        #expect(codes("languages = [\"d e\"]") == ["bad-text"])
        #expect(codes("[[message]]\nlanguage = \"de\"\nreason = \"expird\"\ntext = \"x\"") == ["bad-choice"])
        #expect(codes("[[message]]\nlanguage = \"de\"\nreason = \"busy\"\ntext = \"x\"\n[[message]]\nlanguage = \"de\"\nreason = \"busy\"\ntext = \"y\"")
            == ["repeated-value"])
        #expect(codes("[operator]\nurl = \"https://GATES.example/operators\"\nlisten = \"unix:/run/op\"") == ["operator-origin"])
        #expect(codes(without: "site") == ["missing-setting"])
        #expect(codes(without: "certificate") == ["certificate-missing"])
        #expect(codes(without: "url", instead: "url = \"http://gates.example\"") == ["bad-text"])
        #expect(codes(without: "url", instead: "url = \"https://gates.example/\"") == ["bad-text"])
        for place in ["8443", "localhost:1", "127.0.0.1:65536", "[127.0.0.1]:1", "unix:run", "::1:80", "1.2.3:4", "[::1]", "127.0.0.1:-1"] {
            #expect(codes(without: "listen", instead: "listen = \"\(place)\"") == ["bad-text"], "\(place)")
        }
        #expect(codes("= x") == ["syntax"])
    }

    @Test func whatIsMadeIsRead() throws {
        let new = NewDesk(site: "north", issuer: "Besucher \"süd\"", url: "http://127.0.0.1:0", listen: "127.0.0.1:0", gates: "/g",
                          operatorURL: "http://127.0.0.1:1", operatorListen: "127.0.0.1:1")
        // Nobody can come to port 0 but by a listener that takes what is free; as an address it is none.
        #expect(throws: InvalidDeskSettings.self) { try DeskSettings.parse(Array(new.text.utf8), name: "", folder: "/") }
        var local = new
        local.url = "http://127.0.0.1:8080"
        let settings = try DeskSettings.parse(Array(local.text.utf8), name: "", folder: "/")
        #expect(settings.issuer == "Besucher \"süd\"" && settings.operatorPage?.origin == "http://127.0.0.1:1")
    }

    /// No text stops the reader, and each refusal says why.
    @Test func randomChangesOfSettingsStopNothing() throws {
        var numbers = SeededNumbers(seed: 271)
        let whole = Array((Self.head + "token-valid = \"24h\"\n[[message]]\nlanguage = \"de\"\nreason = \"busy\"\ntext = \"x\"\n[operator]\nurl = \"https://o.example\"\nlisten = \"unix:/o\"\n").utf8)
        for _ in 0..<3000 {
            var bytes = whole
            for _ in 0...numbers.below(4) {
                let place = numbers.below(bytes.count)
                switch numbers.below(3) {
                case 0: bytes[place] = UInt8(numbers.below(256))
                case 1: bytes.remove(at: place)
                default: bytes.insert(whole[numbers.below(whole.count)], at: place)
                }
            }
            do throws(InvalidDeskSettings) {
                _ = try DeskSettings.parse(bytes, name: "s", folder: "/d")
            } catch {
                #expect(!error.issues.isEmpty && error.issues.allSatisfy { !$0.message.isEmpty })
            }
        }
    }
}
