import Credentials
import Cryptography
import PhoneProtocol
import PhoneTool
import Testing
import VirtualPhone

@Suite("The files of a phone")
struct PhoneFilesTests {
    let scratch: ScratchFolder
    let gate: TestGate

    init() throws {
        scratch = try ScratchFolder()
        gate = try TestGate()
    }

    @Test(arguments: [(KeyUse.sign, "anna.key", "anna.pub"), (.agree, "ben", "ben.pub")])
    func aKeyHasAPublicHalfBesideIt(use: KeyUse, name: String, publicName: String) throws {
        let made = try PhoneFiles.makeKey(at: scratch.path(name), use: use)
        #expect(made.publicPath == scratch.path(publicName))
        #expect(try scratch.mode(name) == 0o600)
        #expect(try scratch.mode(publicName) == 0o644)
        let both = try [name, publicName].map { try KeyFile(parsing: scratch.bytes($0)) }
        #expect(both.allSatisfy { $0.role == .phone && $0.use == use && $0.publicKey == made.key })
        #expect(try PhoneFiles.key(at: scratch.path(name)).signs == (use == .sign))
        #expect(throws: PhoneToolError.publicHalf(path: made.publicPath)) { try PhoneFiles.key(at: made.publicPath) }
    }

    @Test func aKeyIsNeverWrittenOver() throws {
        _ = try PhoneFiles.makeKey(at: scratch.path("anna.key"), use: .sign)
        let key = try scratch.bytes("anna.key")
        #expect(throws: PhoneToolError.keyExists(path: scratch.path("anna.key"))) {
            try PhoneFiles.makeKey(at: scratch.path("anna.key"), use: .sign)
        }
        let taken = try scratch.write("ben.pub", [1])
        #expect(throws: PhoneToolError.keyExists(path: taken)) { try PhoneFiles.makeKey(at: scratch.path("ben.key"), use: .sign) }
        #expect(try scratch.bytes("anna.key") == key)
    }

    @Test func onlyAPhonesKeyTaps() throws {
        let site = try scratch.write("site.key", KeyFile(role: .site, making: .sign).text())
        #expect(throws: PhoneToolError.notAPhone(path: site, .site)) { try PhoneFiles.key(at: site) }
        let text = try scratch.write("text", Array("no key".utf8))
        #expect(throws: PhoneToolError.keyFile(path: text, .armour)) { try PhoneFiles.key(at: text) }
        #expect { try PhoneFiles.key(at: scratch.path("none")) } throws: {
            ($0 as? PhoneToolError)?.code == "system-call-failed"
        }
    }

    @Test func theGatesOfASiteAreRead() throws {
        let gates = try PhoneFiles.gates(at: scratch.write("gates.phone", gate.knownGates))
        #expect(gates.map(\.key) == [gate.signing.publicKey, gate.agreement.publicKey])
        #expect(gates.map(\.keyIdentifier) == gates.map { Array($0.key.thumbprint.prefix(1)) })
    }

    @Test func otherFilesAreNoGates() throws {
        let nameless = ConfirmedKeyCredential(key: COSEKey(key: gate.signing.publicKey), subject: "north").raw
        for bytes in [[], [0xA0], Array(gate.knownGates.dropLast()), gate.knownGates + [0x01], nameless, Array("text".utf8)] {
            let path = try scratch.write("gates", bytes)
            #expect(throws: PhoneToolError.gates(path: path)) { try PhoneFiles.gates(at: path) }
        }
    }

    @Test func aCredentialForAnotherKeyIsRefusedUnlessWanted() throws {
        _ = try PhoneFiles.makeKey(at: scratch.path("anna.key"), use: .sign)
        let gates = try scratch.write("gates", gate.knownGates)
        let other = ConfirmedKeyCredential(key: COSEKey(key: gate.signing.publicKey, keyIdentifier: [1]), subject: "x").raw
        let path = try scratch.write("ccs", other)
        for files in [PresentedFiles.claims(path: path, token: nil), .keyIdentifier(path: path, token: nil)] {
            #expect(throws: PhoneToolError.otherKey(path: path)) {
                try PhoneIdentity(keyPath: scratch.path("anna.key"), gatesPath: gates, presenting: files)
            }
            #expect(throws: Never.self) {
                try PhoneIdentity(keyPath: scratch.path("anna.key"), gatesPath: gates, presenting: files, allowingOtherKey: true)
            }
        }
        let token = try scratch.write("token", [0x84])
        #expect {
            try PhoneIdentity(keyPath: scratch.path("anna.key"), gatesPath: gates, presenting: .token(path: token))
        } throws: { error in
            if case .token(path: token, _)? = error as? PhoneToolError { true } else { false }
        }
    }

    @Test func aClaimsSetWithoutIdentifierIsSentByValueOnly() throws {
        let made = try PhoneFiles.makeKey(at: scratch.path("anna.key"), use: .sign)
        let gates = try scratch.write("gates", gate.knownGates)
        let path = try scratch.write("ccs", ConfirmedKeyCredential(key: COSEKey(key: made.key), subject: "anna").raw)
        #expect(throws: PhoneToolError.noKeyIdentifier(path: path)) {
            try PhoneIdentity(keyPath: scratch.path("anna.key"), gatesPath: gates, presenting: .keyIdentifier(path: path, token: nil))
        }
        #expect(throws: Never.self) {
            try PhoneIdentity(keyPath: scratch.path("anna.key"), gatesPath: gates, presenting: .claims(path: path, token: nil))
        }
    }

    static let errors: [(PhoneToolError, String)] = [
        (.keyExists(path: "k"), "key-exists"), (.keyFile(path: "k", .armour), "key-file-armour"),
        (.notAPhone(path: "k", .site), "key-wrong-role"), (.publicHalf(path: "k"), "key-public-only"),
        (.gates(path: "g"), "gates-malformed"), (.token(path: "t", .tooLong), "token-too-long"),
        (.claims(path: "c", .notAKey), "cose-not-a-key"), (.noKeyIdentifier(path: "c"), "key-identifier-missing"),
        (.otherKey(path: "t"), "credential-other-key"), (.methodDoesNotFit(method: 3, use: .sign), "method-does-not-fit-key"),
        (.misbehaviour("x"), "misbehaviour-unknown"), (.card(.alreadyInserted), "card-already-inserted"),
        (.bluetooth(.silent), "bluetooth-silent"), (.bluetooth(.attribute(.noService)), "att-service-missing"),
        (.invited(.link("It is none.")), "link-malformed"), (.invited(.server(.certificate, detail: "x")), "server-certificate-refused"),
        (.invited(.answer(.otherKey)), "answer-other-key"), (.invited(.refused(ServerRefusal(code: "busy", message: "Busy."))), "busy"),
        (.wallet(.busy(name: "a")), "wallet-busy"), (.wallet(.several("a", ["ab", "ac"])), "access-ambiguous"),
        (.cryptography(.wrongLength), "wrong-length")
    ]

    @Test(arguments: errors)
    func eachErrorHasAStableCodeAndASentence(error: PhoneToolError, code: String) {
        #expect(error.code == code)
        #expect(error.message.hasSuffix("."))
    }
}
