import Credentials
import Cryptography
import Encoding
import PhoneProtocol
import Testing
import VirtualPhone

/// The phone as a card: what it keeps of a tap, and what tampering does to it.
@Suite struct PhoneCardTests {
    static let select: [UInt8] = [0x00, 0xA4, 0x04, 0x00, 0x09] + PhoneProtocolProfile.applicationIdentifier + [0x00]

    func phone() throws -> NFCPhone {
        let key = try SigningKey.generate(.p256)
        let gate = GateCredential(site: "example", key: try SigningKey.generate(.p256).publicKey)
        let identity = PhoneIdentity(
            credential: .claims(ConfirmedKeyCredential(key: COSEKey(key: key.publicKey)).raw), key: .signing(key),
            gates: [try KnownGate(keyIdentifier: gate.keyIdentifier, claims: gate.claims)])
        return NFCPhone(identity: identity)
    }

    @Test func everySelectBeginsAnew() throws {
        let card = PhoneCard(try phone())
        let first = card.receive(Self.select)
        let second = card.receive(Self.select)
        #expect(first.suffix(2) == [0x90, 0x00])
        #expect(first != second, "a fresh ephemeral key each time")
        #expect(card.steps.map(\.response) == [second])
        #expect(card.result == nil)
        #expect(card.gate == nil)
    }

    @Test func theFieldLostEndsTheExchange() throws {
        let card = PhoneCard(try phone())
        _ = card.receive(Self.select)
        card.fieldLost()
        #expect(card.receive([0x80, 0xE2, 0x02, 0x00, 0x00]) == [0x69, 0x85])
    }

    @Test func anErrorOfTheGateIsTheResult() throws {
        let card = PhoneCard(try phone())
        _ = card.receive(Self.select)
        let command = CommandAPDU(
            cla: 0x80, ins: 0xE2, p1: 0x01, data: EDHOCErrorMessage.unspecified("refused").encoded, expectedLength: 256)
        #expect(card.receive(command.encoded) == [0x90, 0x00])
        #expect(card.result == .refused(.unspecified("refused")))
        #expect(card.steps.map(\.byteCount) == [15 + 48, 15 + 2])
    }

    @Test func anAnswerInPartsIsTheWholeAnswer() throws {
        let key = try SigningKey.generate(.p256)
        let identity = PhoneIdentity(credential: .claims([0xA0]), key: .signing(key), gates: [])
        let card = PhoneCard(NFCPhone(identity: identity, settings: PhoneSettings(partCount: 20)))
        var data: [UInt8] = []
        var response = try ResponseAPDU(parsing: card.receive(Self.select))
        while let more = response.status.availableCount {
            data += response.data
            response = try ResponseAPDU(parsing: card.receive([0x00, 0xC0, 0x00, 0x00, UInt8(more)]))
        }
        data += response.data
        #expect(response.status == .success)
        #expect(SelectAnswer(parsing: data)?.message1.count == 37)
    }

    @Test func tamperingChangesOneResponse() throws {
        let select = Self.select
        let flipped = PhoneCard(try phone(), tampering: .flipped(response: 1, byte: 0, mask: 0x0F))
        #expect(flipped.receive(select).first == 0x60)
        let truncated = PhoneCard(try phone(), tampering: .truncated(response: 1, toCount: 3))
        #expect(truncated.receive(select).count == 3)
        let replaced = PhoneCard(try phone(), tampering: .replaced(response: 2, by: [0x90, 0x00]))
        #expect(replaced.receive(select).count == 48)
        #expect(replaced.receive([0x80, 0xE4, 0x00, 0x00]) == [0x90, 0x00])
    }
}
