@testable import PhoneTool
import Testing

@Suite("What a phone can do wrong on purpose over Bluetooth")
struct BluetoothMisbehaviourTests {
    static let read: [(String, BluetoothMisbehaviour)] = [
        ("cut-after=connect", .cutAfter(.connect)), ("cut-after=message-3", .cutAfter(.message3)), ("cut-at=outcome", .cutAt(.outcome)),
        ("silent-after=message-2", .silentAfter(.message2)), ("flood", .flood(100)), ("flood=7", .flood(7)), ("burst=3", .burst(3)),
        ("long", .long(512)), ("long=600", .long(600)), ("offset", .offset(1)), ("offset=9", .offset(9)), ("early-read", .earlyRead),
        ("garbage", .garbage(100)), ("noise=2", .noise(2)), ("slow=400", .slow(400))
    ]

    @Test(arguments: read)
    func eachFormIsRead(text: String, misbehaviour: BluetoothMisbehaviour) throws {
        #expect(try BluetoothMisbehaviour(text) == misbehaviour)
    }

    @Test(arguments: ["", "cut-after", "cut-after=", "cut-after=1", "cut-at=connect", "silent-after=message_1", "flood=", "flood=0",
                      "flood=-1", "flood=60001", "flood=connect", "early-read=1", "slow", "slow=x", "leave-at=2", "=1"])
    func anythingElseIsRefused(text: String) {
        #expect(throws: PhoneToolError.misbehaviour(text)) { try BluetoothMisbehaviour(text) }
    }

    @Test func everyFormInTheHelpIsRead() throws {
        for (form, _) in BluetoothMisbehaviour.forms {
            let text = form.split(separator: "[")[0].replacing("STEP", with: "message-1").replacing("=MS", with: "=2")
            #expect(throws: Never.self) { try BluetoothMisbehaviour(String(text)) }
        }
    }
}
