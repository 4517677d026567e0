import Testing

@testable import Readers

@Suite struct PCSCErrorTests {
    static let kinds: [(UInt32, PCSCErrorKind)] = [
        (0x8010_001D, PCSCErrorKind.contextLost), (0x8010_001E, .contextLost), (0x8010_0003, .contextLost),
        (0x8010_0013, .contextLost), (0x8010_0017, .readerGone), (0x8010_0009, .readerGone),
        (0x8010_0069, .cardGone), (0x8010_000C, .cardGone), (0x8010_0068, .cardGone), (0x8010_0067, .cardGone),
        (0x8010_0066, .cardGone), (0x8010_0016, .cardGone), (0x8010_000B, .sharing), (0x8010_006A, .denied), (0x8010_0002, .cancelled),
        (0x8010_000A, .timedOut), (0x8010_0014, .other), (0x8010_7777, .other)
    ]

    @Test(arguments: kinds)
    func everyNumberHasItsKind(number: UInt32, kind: PCSCErrorKind) {
        #expect(PCSCError(number: number).kind == kind)
    }

    @Test func codesAreStableAndDifferent() {
        let codes = PCSCErrorTable.entries.values.map(\.code)
        #expect(Set(codes).count == codes.count)
        #expect(PCSCError(number: 0x8010_001D).code == "pcsc-no-service")
        #expect(PCSCError(number: 0x8010_0069).code == "pcsc-card-removed")
        #expect(PCSCError(number: 0x8010_7777).code == "pcsc-80107777")
    }

    @Test func theSentenceNamesTheRemedyAndTheNumber() {
        #expect(
            PCSCError(number: 0x8010_001D).message
                == "pcscd does not run. `systemctl enable --now pcscd.socket` starts it. (PC/SC 8010001D)")
    }

    @Test func resultsOfAnyWidthAreTheSameNumber() {
        for result in [0x8010_001D, Int(Int32(bitPattern: 0x8010_001D))] {
            #expect(throws: PCSCError(number: 0x8010_001D)) { try PCSCError.check(result) }
        }
        #expect(throws: Never.self) { try PCSCError.check(0) }
    }

    @Test func aLinkSaysWhatBroke() {
        #expect(LinkError(PCSCError(number: 0x8010_0069)) == .cardGone(LinkFault(PCSCError(number: 0x8010_0069))))
        #expect(LinkError(PCSCError(number: 0x8010_0017)) == .readerGone(LinkFault(PCSCError(number: 0x8010_0017))))
        #expect(LinkError(PCSCError(number: 0x8010_001E)) == .serviceGone(LinkFault(PCSCError(number: 0x8010_001E))))
        #expect(LinkError(PCSCError(number: 0x8010_0014)) == .failed(LinkFault(PCSCError(number: 0x8010_0014))))
    }
}
