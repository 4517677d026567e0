import Encoding
import Testing
@testable import SiteData

@Suite("Metadata that python-tuf signed")
struct SignedMetadataTests {
    private func root() throws -> RootMetadata { try RootMetadata(try SignedMetadata(try MetadataFile.bytes("root"))) }

    private func count(_ file: [UInt8], of role: RoleName) throws -> SignatureCount {
        let root = try root()
        return SignatureCount(try SignedMetadata(file), by: try #require(root.keys(of: role)), of: root.keys)
    }

    private func fault(_ file: [UInt8]) -> MetadataFault? {
        do throws(MetadataFault) {
            _ = try RootMetadata(try SignedMetadata(file))
            return nil
        } catch {
            return error
        }
    }

    @Test("Ed25519, ECDSA and RSA-PSS each sign the root, and every role is signed")
    func signatures() throws {
        let root = try count(try MetadataFile.bytes("root"), of: .root)
        #expect(root.signed == 3 && root.isReached)
        #expect(try count(try MetadataFile.bytes("timestamp"), of: .timestamp).isReached)
        #expect(try count(try MetadataFile.bytes("snapshot"), of: .snapshot).isReached)
        #expect(try count(try MetadataFile.bytes("targets"), of: .targets).isReached)
        #expect(try !count(try MetadataFile.bytes("targets"), of: .snapshot).isReached)
    }

    @Test("A change of anything that is signed, known or not, spoils all signatures", arguments: [
        ("\"version\": 1", "\"version\": 2"), ("T\\u00fcr", "Tor"), ("\"x-\\ufb33\"", "\"x-\\ufb34\"")
    ])
    func changed(_ text: String, _ other: String) throws {
        let file = try MetadataFile.bytes("root", replacing: text, with: other)
        let root = try MetadataFile.bytes("root")
        #expect(file != root)
        #expect(try count(file, of: .root).signed == 0)
    }

    @Test("White space is not signed")
    func space() throws {
        #expect(try count(try MetadataFile.bytes("root", replacing: "\n", with: "\r\n  ") + [0x20], of: .root).isReached)
    }

    @Test("What is signed without a signature in its form counts nothing, and is no fault")
    func emptySignature() throws {
        let file = try JSON.parse(try MetadataFile.bytes("timestamp"))
        for text in ["", "no hex", "00"] {
            let other = try changing(file, signatures: [text])
            #expect(try count(other, of: .timestamp).signed == 0)
        }
    }

    @Test("Two signatures of one key are refused, even if both are good")
    func duplicateSignature() throws {
        let file = try JSON.parse(try MetadataFile.bytes("timestamp"))
        let signature = try #require(file["signatures"]?.array?.first?["sig"]?.string)
        let twice = try changing(file, signatures: [signature, signature])
        #expect(throws: MetadataFault.self) { try SignedMetadata(twice) }
    }

    @Test("A key with two names counts once")
    func twoNames() throws {
        let root = try root()
        let timestamp = try JSON.parse(try MetadataFile.bytes("timestamp"))
        let name = try #require(root.keys(of: .timestamp)?.identifiers.first?.text)
        let rootFile = try JSON.parse(try MetadataFile.bytes("root"))
        let key = try #require(rootFile["signed"]?["keys"]?[name])
        let ring = try KeyRing(try MetadataFields(.object([name: key, "other": key]), "keys"))
        let role = try RoleKeys(try MetadataFields(["keyids": [.string(name), "other"], "threshold": 2], "role"))
        let signature = try #require(timestamp["signatures"]?.array?.first?["sig"]?.string)
        let file = JSON.object([
            "signed": try #require(timestamp["signed"]),
            "signatures": [["keyid": .string(name), "sig": .string(signature)], ["keyid": "other", "sig": .string(signature)]]
        ])
        let count = SignatureCount(try SignedMetadata(file.canonical), by: role, of: ring)
        #expect(count.signed == 1 && !count.isReached)
    }

    @Test("What is no metadata of a root has its own fault")
    func faults() throws {
        #expect(fault([]) == .json(JSONError(.truncated, line: 1, column: 1)))
        #expect(fault(Array("{}".utf8)) == .field("signed"))
        #expect(fault(try MetadataFile.bytes("timestamp")) == .wrongRole(found: "timestamp"))
        #expect(fault(try MetadataFile.bytes("root", replacing: "\"version\": 1", with: "\"version\": 0")) == .field("signed.version"))
        #expect(fault(try MetadataFile.bytes("root", replacing: "\"version\": 1", with: "\"version\": 1.0")) == .noSignedForm)
        #expect(fault(try MetadataFile.bytes("root", replacing: "\"1.0.", with: "\"2.0.")) == .unsupportedSpecification("2.0.31"))
        #expect(fault(try MetadataFile.bytes("root", replacing: "08:30:00Z", with: "08:30:00.0Z")) == .field("signed.expires"))
        #expect(fault(try MetadataFile.bytes("root", replacing: "\"threshold\": 3", with: "\"threshold\": 0"))
            == .field("signed.roles.root.threshold"))
    }

    /// The signatures of a file with other texts, all by its first key.
    private func changing(_ file: JSON, signatures texts: [String]) throws -> [UInt8] {
        let name = try #require(file["signatures"]?.array?.first?["keyid"])
        let signatures = texts.map { JSON.object(["keyid": name, "sig": .string($0)]) }
        return JSON.object(["signed": try #require(file["signed"]), "signatures": .array(signatures)]).canonical
    }
}
