import Testing
import Threads

@testable import Radio

@Suite("What bluetoothd tells")
struct BluezObjectsTests {
    static let hci0 = "/org/bluez/hci0"
    static let phone = "/org/bluez/hci0/dev_C0_00_00_00_00_01"

    static func interfaces(_ name: String, _ properties: [(String, BusValue)]) -> BusValue {
        .dictionary(of: "sa{sv}", [BusEntry(key: .string(name), value: .properties(properties))])
    }

    @Test func anAdapterIsPutTogetherFromItsInterfaces() {
        var objects = BluezObjects()
        objects.add(Self.hci0, Self.interfaces(BluezName.applications, []))
        #expect(objects.known.isEmpty)
        objects.add(Self.hci0, Self.interfaces(BluezName.adapter, [("Address", .string("00:1A:7D:DA:71:13")), ("Powered", .bool(true))]))
        objects.add(Self.hci0, Self.interfaces(BluezName.advertisements, []))
        objects.change(Self.hci0, BluezName.adapter, .properties([("Roles", .strings(["peripheral"])), ("PowerState", .string("on"))]))
        let adapter = objects.known.first
        #expect(adapter?.index == 0)
        #expect(adapter?.isPowered == true)
        #expect(adapter?.roles == ["peripheral"])
        #expect(adapter?.powerState == "on")
        #expect(adapter?.acceptsApplications == true && adapter?.acceptsAdvertisements == true)
        objects.remove(Self.hci0, [BluezName.advertisements])
        #expect(objects.known.first?.acceptsAdvertisements == false)
        objects.remove(Self.hci0, [BluezName.adapter])
        #expect(objects.known.isEmpty)
    }

    @Test func phonesGoWithTheirAdapter() {
        var objects = BluezObjects()
        objects.add(Self.hci0, Self.interfaces(BluezName.adapter, [("Address", .string("00:1A:7D:DA:71:13"))]))
        objects.isHeard(Self.phone)
        objects.isHeard("/org/bluez/hci1/dev_C0_00_00_00_00_01")
        objects.remove(Self.hci0, [BluezName.adapter])
        #expect(objects.devices.keys.sorted() == ["/org/bluez/hci1/dev_C0_00_00_00_00_01"])
    }

    @Test func aPhonesAddressIsTheToldOneOrThatInItsPath() {
        var device = BluezDevice(path: Self.phone)
        #expect(device.address?.description == "C0:00:00:00:00:01")
        #expect(device.address?.isRandom == true)
        #expect(device.adapter == Self.hci0)
        device.update(.properties([("Address", .string("aa:BB:cc:00:11:22")), ("AddressType", .string("public"))]))
        #expect(device.address == DeviceAddress("AA:BB:CC:00:11:22"))
        #expect(BluezDevice(path: "nonsense").address == nil)
    }

    @Test(arguments: ["", "00:1A:7D:DA:71", "00:1A:7D:DA:71:13:00",
                      "00:1A:7D:DA:71:1", "0:01A:7D:DA:71:13", "00:1A:7D:DA:71:G3", "00:1A:7D:DA:71:+3"])
    func whatIsNoAddressIsNone(text: String) {
        #expect(DeviceAddress(text) == nil)
    }

    @Test func nonsenseIsPassedOver() {
        var objects = BluezObjects(.string("x"))
        objects.add("", .byte(1))
        objects.add(Self.hci0, Self.interfaces("org.bluez.Media1", [("Address", .byte(1))]))
        objects.add(Self.hci0, Self.interfaces(BluezName.adapter, [("Address", .byte(1)), ("Powered", .string("yes"))]))
        objects.change("/nowhere", BluezName.adapter, .properties([("Powered", .bool(true))]))
        #expect(objects.known.isEmpty)
        #expect(BluezAdapter(path: "/org/bluez/hci99999").index == nil)
        #expect(BluezAdapter(path: "/").index == nil)
    }

    @Test func linksFollowWhoIsConnected() {
        var objects = BluezObjects()
        objects.add(Self.hci0, Self.interfaces(BluezName.adapter, [("Address", .string("00:1A:7D:DA:71:13"))]))
        let last = Mutex<UInt64>(0)
        var table = LinkTable {
            last.withLock { last in
                last += 1
                return last
            }
        }
        objects.isHeard(Self.phone)
        objects.isHeard("/org/bluez/hci7/dev_C0_00_00_00_00_01")
        let opened = table.compare(objects, radios: [Self.hci0: "entry"])
        #expect(opened.opened.map(\.link) == [RadioLink(radio: "entry", id: 1)])
        #expect(opened.opened.first?.adapter == 0)
        let nothing = table.compare(objects, radios: [Self.hci0: "entry"])
        #expect(nothing == LinkTable.Change())
        // The same adapter serves another radio now: another link.
        let moved = table.compare(objects, radios: [Self.hci0: "exit"])
        #expect(moved.closed.map(\.link.id) == [1])
        #expect(moved.opened.map(\.link) == [RadioLink(radio: "exit", id: 2)])
        let ended = table.compare(BluezObjects(), radios: [:])
        #expect(ended.closed.map(\.link.id) == [2])
    }

    @Test func aRadioWithoutAnAddressTakesWhatIsLeft() {
        let adapters = ["11:11:11:11:11:11", "22:22:22:22:22:22"].enumerated().map { number, address in
            var adapter = BluezAdapter(path: "/org/bluez/hci\(number)")
            adapter.address = address
            return adapter
        }
        func binding(_ address: String?) -> RadioBinding {
            RadioBinding(name: "r", address: address, serviceUUID: "", characteristicUUID: "", localName: "")
        }
        #expect(AdapterChoice.all([binding("22:22:22:22:22:22"), binding(nil)], among: adapters) == [.found(adapters[1]), .found(adapters[0])])
        #expect(AdapterChoice.all([binding(nil)], among: adapters) == [.ambiguous(addresses: ["11:11:11:11:11:11", "22:22:22:22:22:22"])])
        for choice in AdapterChoice.all([binding("33:33:33:33:33:33"), binding(nil), binding("nonsense")], among: []) {
            guard case .absent(let reason) = choice else {
                Issue.record("it is otherwise")
                return
            }
            #expect(reason.contains("`"))
        }
    }

    @Test func aLocalNameIsCutToWhatIsSent() {
        let binding = RadioBinding(name: "r", address: nil, serviceUUID: "", characteristicUUID: "", localName: "Fabrik Nord Tür Süd Eingang 12ä34")
        #expect(binding.localName == "Fabrik Nord Tür Süd Eingang")
        #expect(binding.localName.utf8.count <= RadioBinding.longestLocalName)
    }
}
