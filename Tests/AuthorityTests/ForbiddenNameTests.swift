import Credentials
import Cryptography
import Encoding
import SiteData
import SiteRules
import Storage
import Testing

@testable import Authority

/// What an office takes in, and what it does about what it took in before it knew better.
@Suite("Names that an office does not take") struct ForbiddenNameTests {
    let scratch: ScratchFolder
    let authority: Authority
    private var fixture: RepositoryFixture { RepositoryFixture(authority, in: scratch) }

    init() throws {
        scratch = try ScratchFolder()
        authority = try makeAuthority(in: scratch)
    }

    static let hiding = "south\u{1B}[2K\u{1B}[1A"

    private func refusal(_ body: () throws -> Void) -> AuthorityError? {
        do {
            try body()
            return nil
        } catch {
            return error as? AuthorityError
        }
    }

    @Test(arguments: [hiding, "anna\n", "an\u{200B}na", "\u{202E}anna", " anna", "anna  berg", "a\u{A0}b", "Jos\u{FFFD}"])
    func inWhateverWayTheyCome(name: String) throws {
        let key = try phoneKey()
        let refusals = [
            refusal { _ = try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: name), now: now) },
            refusal { _ = try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: "anna", rights: Rights(audiences: ["tapstile:north/\(name)"])), now: now) },
            refusal { _ = try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: "anna", rights: Rights(scope: [name])), now: now) },
            refusal { _ = try authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: name, now: now) },
            refusal { _ = try authority.issue(TokenRequest(key: key, use: .sign, subject: name, rights: Rights(expiresAt: now + 60)), now: now) },
            refusal { _ = try authority.rotateIssuer(name: name, now: now) }, refusal { _ = try authority.makeGates(name: name, now: now) }
        ]
        for (number, refusal) in refusals.enumerated() {
            // A blank at the end of a place is one in its middle when it is written after another name, and then the place says so.
            #expect(refusal?.code == NameFlaw.code || (number == 1 && refusal?.code == "bad-audience"), "\(number): \(refusal?.code ?? "taken")")
            #expect(refusal.map { NameRule.unseen(in: $0.message) } == .some(nil), "what is said of it hides nothing")
        }
        #expect(refusal { _ = try Authority.make(inFolder: scratch.path("other"), site: name, issuer: "i", now: now) }?.code == NameFlaw.code)
    }

    @Test func aListOfPeopleNamesLineAndColumn() throws {
        let key = Hex.encode([4] + (try phoneKey()).x + [UInt8](repeating: 0, count: 32))
        try scratch.write("people.csv", Array("""
            subject,groups,audiences
            anna,staff,
            b\u{200B}en,staff,
            carl,"st\u{1B}aff",tapstile:north/a\u{202E}b

            """.utf8))
        guard case .importRefused(let refused)? = refusal({ _ = try authority.importPeople(at: scratch.path("people.csv"), now: now) }) else {
            Issue.record("it is refused")
            return
        }
        #expect(refused.issues.map { "\($0.position.line):\($0.position.column) \($0.code)" } == ["3:1 name-forbidden", "4:6 name-forbidden", "4:15 name-forbidden"])
        #expect(refused.issues[0].message.hasSuffix("has U+200B as character 2: nobody sees it."))
        #expect(key.count == 130)
    }

    @Test func aListOfKeysNamesLineAndColumn() throws {
        let first = try phoneKey(), second = try phoneKey()
        func line(_ subject: String, _ key: PublicKey) -> String { #"{"key": "\#(Hex.encode([4] + key.x + (key.y ?? [])))", "subject": "\#(subject)"}"# }
        try scratch.write("keys", Array([line("anna", first), line("é\\u001b[2K", second)].joined(separator: "\n").utf8))
        guard case .line(2, let code, let message)? = refusal({ _ = try authority.enrol(listAt: scratch.path("keys"), now: now) }) else {
            Issue.record("it is refused")
            return
        }
        #expect(code == NameFlaw.code && message == "Column 155: The name 'é\\u{1b}[2K' has U+001B as character 2: a control character.")
        #expect(try authority.database.peopleVersion() == 0)
    }

    /// An older version took them. Nothing is published with one, whose it is is said, and each way out of it is open.
    @Test func whatAnOlderVersionTookStopsTheNextPublicationByName() throws {
        let key = try phoneKey()
        _ = try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: "south"), now: now)
        try authority.database.connection.execute("UPDATE enrolled SET subject = '\(Self.hiding)'")
        let refused = refusal { _ = try fixture.published() }
        #expect(refused?.code == "publication-name-forbidden")
        #expect(refused?.message.contains("'south\\u{1b}[2K\\u{1b}[1A'") == true)
        // The same key under a name that is one.
        #expect(try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: "south"), now: now).isReplacement)
        _ = try fixture.published()
    }

    @Test func whoHasSuchANameFromBeforeIsTakenOffByIt() throws {
        _ = try MembershipRows(authority.database).add(Membership(group: "staff", subject: "an\u{200B}na"), by: .command)
        #expect(refusal { _ = try fixture.published() }?.code == "publication-name-forbidden")
        try scratch.write("leave.csv", Array("subject,groups,action\nan\u{200B}na,staff,remove\n".utf8))
        #expect(try authority.importPeople(at: scratch.path("leave.csv"), now: now).left == 1)
        _ = try fixture.published()
    }

    /// To take something back is never refused for a name, in the office as at the gate.
    @Test func whoHasSuchANameIsWithinReachOfARevocation() throws {
        _ = try authority.revoke(.subject(Self.hiding), now: now)
        #expect(try fixture.published().contains(.revocation(.subject(Self.hiding))))
    }
}
