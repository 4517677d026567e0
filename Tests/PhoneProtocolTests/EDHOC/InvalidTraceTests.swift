import Cryptography
import Encoding
import Testing
@testable import PhoneProtocol

/// RFC 9529, chapter 4: messages that no side may accept.
@Suite struct InvalidTraceTests {
    static let names = (try? TraceVectors("rfc9529-chapter-4"))?.names ?? []

    // Not written where they are used: Swift 6.0 crashes on a closure among a test's arguments.
    static let firstMessages = names.filter { $0.hasSuffix("/ message_1") }
    static let secondPlaintexts = names.filter { $0.hasSuffix("/ PLAINTEXT_2") }

    @Test func allOfThemAreThere() { #expect(Self.names.count == 15) }

    @Test(arguments: firstMessages)
    func aBadMessage1IsRefused(name: String) throws {
        let message = try TraceVectors("rfc9529-chapter-4")[name]
        for suite in [CipherSuite.suite0, .suite2] {
            var responder = EDHOCResponder(
                methods: EDHOCMethod.allCases, suites: [suite], connectionIdentifier: [0],
                ephemeral: try EphemeralKey.generate(for: suite))
            let own = try TraceParty.chapter3().own("R")
            var made: [UInt8]?
            do {
                // A point of low order shows only when the secret is made.
                _ = try responder.receiveMessage1(message)
                made = try responder.makeMessage2(own)
            } catch {}
            #expect(made == nil)
        }
    }

    /// The right suite, so that only the named fault can be the reason.
    @Test func theFaultIsTheReason() throws {
        let vectors = try TraceVectors("rfc9529-chapter-4")
        func refusal(_ name: String, _ suite: CipherSuite = .suite2) throws -> EDHOCError? {
            var responder = EDHOCResponder(
                methods: EDHOCMethod.allCases, suites: [suite], connectionIdentifier: [0],
                ephemeral: try EphemeralKey.generate(for: suite))
            do throws(EDHOCError) { _ = try responder.receiveMessage1(vectors[name + " / message_1"]) } catch { return error }
            return nil
        }
        #expect(try refusal("Surplus bstr encoding of connection identifier") == .malformed("C_I"))
        #expect(try refusal("Surplus array encoding of ciphersuite") == .malformed("suites"))
        #expect(try refusal("Text string encoding of ephemeral key") == .malformed("G_X"))
        #expect(try refusal("Unnecessary long encoding") == .malformed("METHOD"))
        #expect(try refusal("Indefinite-length array encoding") == .malformed("SUITES_I"))
        #expect(try refusal("Error in elliptic curve representation") == .badEphemeralKey)
        #expect(try refusal("Error in elliptic curve point") == .badEphemeralKey)
        #expect(try refusal("Error in elliptic curve encoding") == .badEphemeralKey)
    }

    @Test func aBadMessage2IsRefused() throws {
        let party = try TraceParty.chapter3()
        var initiator = try party.initiator()
        _ = try initiator.makeMessage1()
        let message = try TraceVectors("rfc9529-chapter-4")["Wrong number of CBOR sequence elements / message_2"]
        var refusal: EDHOCError?
        do throws(EDHOCError) { _ = try initiator.receiveMessage2(message) } catch { refusal = error }
        #expect(refusal == .malformed("message"))
    }

    /// Encrypted as the trace's responder would have, so that only the plaintext can be the reason.
    @Test(arguments: secondPlaintexts)
    func aBadPlaintext2IsRefusedByTheInitiator(name: String) throws {
        let party = try TraceParty.chapter3()
        func refusal(_ plaintext: [UInt8]) throws -> EDHOCError? {
            var initiator = try party.initiator()
            _ = try initiator.makeMessage1()
            let ciphertext = KeySchedule.cipher2(plaintext, prk2e: party.vectors["PRK_2e"], transcript2: party.vectors["TH_2"])
            let message = CBOR.bytes(party.vectors["G_Y"] + ciphertext).encoded
            do throws(EDHOCError) { _ = try initiator.receiveMessage2(message) } catch { return error }
            return nil
        }
        #expect(try refusal(party.vectors["PLAINTEXT_2"]) == nil, "else the test shows nothing")
        let field = name.contains("MAC") ? "Signature_or_MAC" : "ID_CRED"
        #expect(try refusal(try TraceVectors("rfc9529-chapter-4")[name]) == .malformed(field))
    }

    @Test(arguments: secondPlaintexts)
    func aBadPlaintext2IsRefused(name: String) throws {
        let plaintext = try TraceVectors("rfc9529-chapter-4")[name]
        #expect(throws: EDHOCError.self) {
            try AuthenticatedPlaintext(parsing: plaintext, hasConnectionIdentifier: true, proofLength: 8)
        }
    }
}
