import Credentials
import Encoding
import PhoneProtocol
import Testing

/// EDHOC errors as other people's libraries send them, code 0 and an unknown code among them, one whose information is
/// none, and one with a long text.
enum PhoneErrors {
    struct One: Sendable {
        let code: Int
        let bytes: [UInt8]
    }

    static let all: [One] = [
        One(code: 1, bytes: [0x01, 0x62, 0x6E, 0x6F]),                       // (1, "no")
        One(code: 1, bytes: CBOR.encodeSequence([1, .text(String(repeating: "x", count: 253))])),
        One(code: 3, bytes: [0x03, 0xF5]),                                   // (3, true)
        One(code: 2, bytes: [0x02, 0x02]),                                   // (2, 2)
        One(code: 1, bytes: [0x01, 0x05]),                                   // (1, 5): no text
        One(code: 0, bytes: [0x00, 0x60]),                                   // (0, ""): nobody may send it
        One(code: -7, bytes: [0x26, 0xF6])                                   // (-7, null)
    ]
}

/// An EDHOC error in the place of a message, over NFC: the phone has stopped, and hears no error back (RFC 9528, 6, 6.1).
@Suite struct PhoneErrorTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    static func response(_ data: [UInt8]) -> [UInt8] { ResponseAPDU(data: data).encoded }

    /// What a gate does with this as the answer to message_2.
    private func answer(_ bytes: [UInt8]) throws -> NFCGateConversation.Action {
        var gate = try site.gate()
        let phone = try RawPhone(gates: site.gatePeers)
        _ = gate.start()
        guard case .sendFinal = gate.receive(phone.selectAnswer) else { throw Unexpected() }
        return gate.receive(Self.response(bytes))
    }

    private struct Unexpected: Error {}

    @Test(arguments: PhoneErrors.all) func anErrorInThePlaceOfMessage3GetsNoErrorBack(error: PhoneErrors.One) throws {
        #expect(try answer(error.bytes) == .finish(.stopped(.phoneDeclined, detail: "edhoc-error-\(error.code)")))
    }

    @Test(arguments: PhoneErrors.all.filter { $0.bytes.count < 128 })
    func anErrorInThePlaceOfMessage1GetsNoErrorBack(error: PhoneErrors.One) throws {
        var gate = try site.gate()
        _ = gate.start()
        let action = gate.receive(Self.response(SelectAnswer(message1: error.bytes).encoded))
        #expect(action == .finish(.stopped(.phoneDeclined, detail: "edhoc-error-\(error.code)")))
    }

    /// A phone that has nothing to add after an invitation may say so in words of EDHOC too: the end stays what it was.
    @Test func anErrorAfterAnInvitationChangesNothing() throws {
        var gate = try site.gate(suites: [.suite2])
        _ = gate.start()
        let phone = try RawPhone(gates: site.gatePeers, suites: [3])
        guard case .send = gate.receive(phone.selectAnswer) else { throw Unexpected() }
        let end = gate.receive(Self.response([0x01, 0x62, 0x6E, 0x6F]))
        #expect(end == .finish(.stopped(.protocolVersion, detail: "edhoc-wrong-suite")))
    }

    /// What is neither message_3 nor an error is told so, as ever.
    @Test(arguments: [[0x01], [0x01, 0x60, 0x60], [0x61, 0x61, 0x60], [0x00]] as [[UInt8]])
    func whatIsNoErrorGetsNoExcuse(bytes: [UInt8]) throws {
        #expect(try answer(bytes) == .send(StrangerTests.uniform))
    }
}
