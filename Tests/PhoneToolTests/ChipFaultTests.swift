@testable import PhoneTool
import Testing
@testable import VirtualPhone

@Suite("What a virtual chip can be told")
struct ChipFaultTests {
    static let read: [(String, PN532Misbehaviour)] = [
        ("silent", PN532Misbehaviour(.silent)), ("acknowledge-only at exchange", PN532Misbehaviour(.acknowledgeOnly, at: .exchangeData)),
        ("no-acknowledge after 3", PN532Misbehaviour(.noAcknowledge, after: 3)),
        ("status=80 at exchange after 1 times 2", PN532Misbehaviour(.status(0x80), at: .exchangeData, after: 1, times: 2)),
        ("garbage=0102ff", PN532Misbehaviour(.garbage([1, 2, 255]))), ("endless=00", PN532Misbehaviour(.endless(0))),
        ("ats-length=0", PN532Misbehaviour(.selectLength(0))), ("uid-length=255", PN532Misbehaviour(.identifierLength(255))),
        ("oversized=300", PN532Misbehaviour(.oversized(by: 300))), ("trickle=1500", PN532Misbehaviour(.trickle(nanoseconds: 1_500_000))),
        ("wrong-checksum times 1", PN532Misbehaviour(.wrongDataChecksum, times: 1)), ("wrong-length-checksum", PN532Misbehaviour(.wrongLengthChecksum)),
        ("syntax-error at list", PN532Misbehaviour(.syntaxError, at: .listPassiveTarget)), ("empty-continuation", PN532Misbehaviour(.emptyContinuation))
    ]

    @Test(arguments: read)
    func eachFaultIsRead(text: String, misbehaviour: PN532Misbehaviour) throws {
        #expect(try ChipFault(text).misbehaviour == misbehaviour)
    }

    @Test(arguments: ["", "loud", "silent=1", "status", "status=", "status=8", "status=8000", "garbage=", "ats-length=256", "uid-length=-1",
                      "oversized=0", "trickle=x", "silent at", "silent at nowhere", "silent after -1", "silent times 0", "silent times", "silent now 1"])
    func anythingElseIsRefused(text: String) {
        #expect(throws: PhoneToolError.misbehaviour(text)) { try ChipFault(text) }
    }

    @Test func everyFormInTheHelpIsRead() throws {
        for (form, _) in ChipFault.forms {
            let text = form.replacing("=HEX", with: "=01").replacing("=N", with: "=1").replacing("=US", with: "=1")
            #expect(throws: Never.self) { try ChipFault(text) }
        }
        for (name, command) in ChipFault.commands {
            #expect(try ChipFault("silent at \(name)").misbehaviour == PN532Misbehaviour(.silent, at: command))
        }
    }

    @Test func ordersAreRead() throws {
        #expect(try ChipOrder("behave") == .behave)
        #expect(try ChipOrder("reset") == .reset)
        #expect(try ChipOrder("unplug") == .unplug)
        #expect(try ChipOrder("plug-in") == .plugIn)
        #expect(try ChipOrder("fault silent at list times 1") == .fault(try ChipFault("silent at list times 1")))
        for text in ["", "fault", "behave now", "plug", "explode"] {
            #expect(throws: PhoneToolError.misbehaviour(text)) { try ChipOrder(text) }
        }
    }

    @Test func framesAreReportedAsSent() {
        #expect(AirRecord(time: 1_234_567, event: .sent(AirFrame([0x26], lastBits: 7))).json.text == #"{"bits":7,"sent":"26","us":1234}"#)
        #expect(AirRecord(time: 0, event: .fieldOff).json.text == #"{"field":false,"us":0}"#)
    }
}
