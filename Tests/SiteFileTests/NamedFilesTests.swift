import Configuration
import Credentials
import Cryptography
import Foundation
import SiteRules
import Testing

@testable import SiteFile

@Suite("Files that a site's file names") struct NamedFilesTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("site-\(UUID().uuidString)")

    private func inFolder(_ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body()
    }

    private func write(_ text: String, _ name: String) throws {
        try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }

    @Test func membersOfALargeGroup() throws {
        try inFolder {
            try write("# staff\r\nanna\n\n  ben \n" + (0..<100_000).map { "person \($0)\n" }.joined() + "anna", "staff.txt")
            let text = "[[group]]\nname = \"staff\"\nmembers = [\"carl\"]\nmembers-file = \"staff.txt\""
            try write(text, "site.toml")
            let site = try SiteFile.load(path: folder.path + "/site.toml", in: .office)
            #expect(site.memberships.count == 100_003)
            #expect(site.memberships.first?.subject == "anna")
        }
    }

    @Test func whatIsWrongWithMembersIsNamedInTheirFile() throws {
        try inFolder {
            try write("anna\n\(String(repeating: "x", count: 257))\nb\u{7}n\nben", "staff.txt")
            let issues = SiteFileFixture.issues("[[group]]\nname = \"a\"\nmembers-file = \"staff.txt\"\n[[rule]]\ngroup = \"b\"", folder: folder.path)
            #expect(issues.map { "\($0.file.hasSuffix("/staff.txt")) \($0.position?.line ?? 0) \($0.code)" } == [
                "false 5 unknown-name", "true 2 bad-text", "true 3 name-forbidden"
            ])
        }
    }

    @Test func aFileThatIsSomethingElse() throws {
        try inFolder {
            try Data(Array(repeating: [0xFF, 0x0A] as [UInt8], count: 5000).joined()).write(to: folder.appendingPathComponent("staff.txt"))
            let issues = SiteFileFixture.issues("[[group]]\nname = \"a\"\nmembers-file = \"staff.txt\"", folder: folder.path)
            #expect(issues.filter { $0.severity == .error }.count == 1001)
            #expect(issues.contains { $0.message == "4000 more lines are no subjects." })
        }
    }

    /// On a gate that stands alone nothing signs them: whoever may write one lets himself in.
    @Test(arguments: ["[[group]]\nname = \"a\"\nmembers-file = \"named\"", "[[person]]\nsubject = \"anna\"\nkey-file = \"named\""])
    func aNamedFileThatAnybodyMayChange(text: String) throws {
        try inFolder {
            try write("ben", "named")
            let path = folder.appendingPathComponent("named").path
            func exposed(_ context: SiteFileContext) -> Bool {
                do throws(InvalidSiteFile) {
                    return try SiteFile.parse(Array(text.utf8), name: "site.toml", folder: folder.path, in: context).warnings.contains { $0.code == "site-file-exposed" }
                } catch {
                    return error.issues.contains { $0.code == "site-file-exposed" && $0.severity == .error }
                }
            }
            let gate = SiteFileContext(hasPeople: true, gate: ([], []))
            #expect(!exposed(gate))
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
            #expect(exposed(gate))
            #expect(!exposed(.office), "what the office makes of it is signed")
        }
    }

    @Test func aFileThatIsNotThere() {
        #expect(SiteFileFixture.marks("[[group]]\nname = \"a\"\nmembers-file = \"/nowhere/x\"") == ["2:8 group-empty", "3:16 file-unreadable"])
    }

    /// A gate looks at so many groups of one person and no more.
    @Test func somebodyInTooManyGroups() {
        func text(_ count: Int) -> String { (0..<count).map { "[[group]]\nname = \"g\($0)\"\nmembers = [\"anna\", \"p\($0)\"]\n" }.joined() }
        #expect(SiteFileFixture.marks(text(64)) == [])
        #expect(SiteFileFixture.issues(text(65)).map(\.message) == ["\"anna\" belongs to more than 64 groups; a gate looks at so many."])
    }

    @Test func keysInFiles() throws {
        try inFolder {
            let phone = try KeyFile(role: .phone, making: .agree), issuer = try KeyFile(role: .tokenIssuer, making: .sign)
            try Data(phone.publicFile.text()).write(to: folder.appendingPathComponent("anna.pub"))
            try Data(issuer.publicFile.text()).write(to: folder.appendingPathComponent("issuer.pub"))
            let text = "[[person]]\nsubject = \"anna\"\nkey-file = \"anna.pub\"\n[[issuer]]\nname = \"north\"\nkey-file = \"\(folder.path)/issuer.pub\""
            let site = try SiteFileFixture.load(text, folder: folder.path)
            #expect(site.people.map(\.key) == [phone.publicKey] && site.people.first?.use == .agree)
            #expect(site.issuers.map(\.key) == [issuer.publicKey])
            #expect(SiteFileFixture.issues(text.replacing("anna.pub", with: "issuer.pub"), folder: folder.path).map(\.code) == ["bad-key"])
            #expect(SiteFileFixture.issues(text.replacing("/issuer.pub", with: "/anna.pub"), folder: folder.path).map(\.code) == ["bad-key"])
            #expect(SiteFileFixture.issues(text.replacing("\"anna\"", with: "\"anna\"\nuse = \"sign\""), folder: folder.path).map(\.code) == ["bad-key"])
            #expect(SiteFileFixture.issues(text.replacing("anna.pub", with: "site.toml"), folder: folder.path).map(\.code) == ["file-unreadable"])
        }
    }

    @Test("A person's key as an app wrote it, and never a private one")
    func keysOfApps() throws {
        try inFolder {
            let key = try KeyFile(role: .phone, making: .sign)
            let text = "[[person]]\nsubject = \"anna\"\nkey-file = \"anna.pem\""
            for form in PhoneKeyForm.allCases {
                try Data(PhoneKey(key: key.publicKey).encoded(as: form)).write(to: folder.appendingPathComponent("anna.pem"))
                let person = try SiteFileFixture.load(text, folder: folder.path).people.first
                #expect(person?.key == key.publicKey && person?.use == .sign, "\(form)")
            }
            try Data(PhoneKey(key: key.publicKey).encoded(as: .pem)).write(to: folder.appendingPathComponent("anna.pem"))
            #expect(try SiteFileFixture.load("\(text)\nuse = \"agree\"", folder: folder.path).people.first?.use == .agree)
            try Data(key.text()).write(to: folder.appendingPathComponent("anna.pem"))
            let issues = SiteFileFixture.issues(text, folder: folder.path)
            #expect(issues.map(\.code) == ["bad-key"] && issues.first?.message.contains("THIS IS A PRIVATE KEY") == true)
        }
    }
}
