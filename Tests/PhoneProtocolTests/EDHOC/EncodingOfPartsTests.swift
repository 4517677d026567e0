import Encoding
import Testing
@testable import PhoneProtocol

/// The small encodings of EDHOC.
@Suite struct EncodingOfPartsTests {
    /// The examples of RFC 9528, 3.3.2.
    @Test(arguments: [
        ([0x21], [0x21]), ([0x0D], [0x0D]), ([0x18], [0x41, 0x18]), ([0x38], [0x41, 0x38]),
        ([0xAB, 0xCD], [0x42, 0xAB, 0xCD]), ([], [0x40]), ([0x37], [0x37]), ([0x17], [0x17])
    ] as [([UInt8], [UInt8])])
    func identifiersTravelCompactly(identifier: [UInt8], wire: [UInt8]) throws {
        #expect(CompactIdentifier.encode(identifier) == wire)
        #expect(CompactIdentifier.decode(try CBOR.decode(wire)) == identifier)
    }

    @Test func longFormsAndOtherTypesAreNoIdentifiers() {
        for item in [CBOR.bytes([0x21]), .bytes([0x00]), 24, -25, .text("a"), [], .null] {
            #expect(CompactIdentifier.decode(item) == nil)
        }
    }

    @Test func credentialIdentifiersKeepTheirBytes() throws {
        #expect(CredentialIdentifier(keyIdentifier: [0x32]).map == [0xA1, 0x04, 0x41, 0x32])
        #expect(CredentialIdentifier(keyIdentifier: [0x32]).wire == [0x32])
        #expect(CredentialIdentifier(token: [0x84, 0, 0, 0, 0]).map == [0xA1, 0x0D, 0x84, 0, 0, 0, 0])
        #expect(CredentialIdentifier(claims: [0xA0]).map == [0xA1, 0x0E, 0xA0])
        // x5t: opaque (RFC 9529, 2.2).
        let other: [UInt8] = [0xA1, 0x18, 0x22, 0x82, 0x2E, 0x41, 0x00]
        #expect(try CredentialIdentifier(map: other).kind == .other)
        #expect(try CredentialIdentifier(map: other).wire == other)
    }

    /// A map that should be compact, one that is empty, and our parameters written longer than need be.
    @Test(arguments: [
        [0xA1, 0x04, 0x42, 0x01, 0x02], [0xA0], [0xA1, 0x18, 0x0D, 0xA0], [0xB8, 0x01, 0x0E, 0xA0], [0x80], [0x60],
        [0x41, 0x05]
    ] as [[UInt8]])
    func aBadIDCREDIsRefused(raw: [UInt8]) throws {
        let item = try CBOR.decode(raw, rules: .wellFormed)
        #expect(throws: EDHOCError.malformed("ID_CRED")) { try CredentialIdentifier(wire: item, raw: raw) }
    }

    @Test func itemsOfEADAreReadAsWritten() throws {
        let items = [
            EADItem(label: 1, isCritical: false, value: nil), EADItem(label: 65535, isCritical: true, value: []),
            EADItem(label: 24, isCritical: true, value: [1, 2, 3])
        ]
        let field = EADItem.encode(items)
        #expect(field == [0x01, 0x39, 0xFF, 0xFE, 0x40, 0x37, 0x43, 1, 2, 3])
        #expect(try EADItem.decode(field) == items)
    }

    /// RFC 9528, 3.8.1: one, two and three bytes of padding.
    @Test func paddingIsLeftOut() throws {
        #expect(try EADItem.decode([0x00, 0x00, 0x40, 0x00, 0x41, 0xE9, 0x05]) == [EADItem(label: 5, isCritical: false, value: nil)])
    }

    @Test func whatIsNoEADIsRefused() {
        let bad: [[UInt8]] = [
            [0x40], [0x61, 0x61], [0x01, 0x80], [0x1A, 0, 1, 0, 0], [0x3A, 0, 1, 0, 0], [0x3B] + [UInt8](repeating: 0xFF, count: 8),
            [0x18], (1...9).map { UInt8($0) }
        ]
        for field in bad { #expect(throws: EDHOCError.self) { try EADItem.decode(field) } }
    }

    @Test func errorsAreReadAsWritten() throws {
        let errors: [(EDHOCErrorMessage, [UInt8])] = [
            (.unspecified("no"), [0x01, 0x62, 0x6E, 0x6F]), (.wrongSuite([2]), [0x02, 0x02]),
            (.wrongSuite([2, 3]), [0x02, 0x82, 0x02, 0x03]), (.unknownCredential, [0x03, 0xF5])
        ]
        for (error, bytes) in errors {
            #expect(error.encoded == bytes)
            #expect(try EDHOCErrorMessage(parsing: bytes) == error)
        }
        #expect(try EDHOCErrorMessage(parsing: [0x18, 0x63, 0x80]) == .other(99))
        for bad in [[], [0x01], [0x00, 0x60], [0x01, 0x02], [0x02, 0x60], [0x02, 0x81, 0x02], [0x03, 0xF4], [0x03, 0xF5, 0x00]] as [[UInt8]] {
            #expect(throws: EDHOCError.self) { try EDHOCErrorMessage(parsing: bad) }
        }
    }

    @Test func longMessagesAreNotRead() {
        let long = [UInt8](repeating: 0, count: 1025)
        #expect(throws: EDHOCError.tooLong(1024)) { try Message1(parsing: long) }
        #expect(throws: EDHOCError.tooLong(1024)) { try EDHOCLimits.soleByteString(of: long) }
    }
}
