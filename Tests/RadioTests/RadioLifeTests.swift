import Foundation
import Testing
import Threads
import Waits

@testable import Radio

/// The radios against a scripted bluetoothd on a bus of their own.
@Suite("The life of a radio", .enabled(if: FileManager.default.fileExists(atPath: PrivateBus.program)))
struct RadioLifeTests {
    @Test func itTellsPhonesWhatItIsFor() async throws {
        let bench = try RadioBench()
        try await bench.bluez.start { $0.addAdapter() }
        try bench.radios.start()
        try await bench.bluez.asked.next(.pairable(adapter: ScriptedBluez.hci0, false))
        try await bench.bluez.asked.next(.applicationRegistered(adapter: ScriptedBluez.hci0, [
            "GattService1.UUID": RadioBench.serviceUUID, "GattService1.Primary": "true",
            "GattCharacteristic1.UUID": RadioBench.characteristicUUID, "GattCharacteristic1.Service": "/org/tapstile/radio0/service",
            "GattCharacteristic1.Flags": "read write"
        ]))
        try await bench.bluez.asked.next(.advertisementRegistered(adapter: ScriptedBluez.hci0, [
            "LEAdvertisement1.Type": "peripheral", "LEAdvertisement1.ServiceUUIDs": RadioBench.serviceUUID,
            "LEAdvertisement1.LocalName": "Works entry", "LEAdvertisement1.Discoverable": "true"
        ]))
        try await bench.events.next(.state("entry", "radio-ready"))
        bench.stop()
    }

    @Test func withoutABusItWaitsForOne() async throws {
        let bench = try RadioBench(startsBus: false)
        try bench.radios.start()
        try await bench.events.next(.state("entry", "radio-bus-down"))
        try bench.bus.start()
        try await bench.events.next(.state("entry", "radio-service-down"))
        try await bench.bluez.start { $0.addAdapter() }
        try await bench.events.next(.state("entry", "radio-ready"))
        bench.stop()
    }

    @Test func aBusThatNeverLetsUsInIsTriedAgain() async throws {
        let bench = try RadioBench(startsBus: false, patience: RadioPatience(join: 50))
        var mute: MuteSocket? = try MuteSocket(bench.bus.address)
        try bench.radios.start()
        try await bench.events.next(.state("entry", "radio-bus-down"))
        withExtendedLifetime(mute) {}
        mute = nil
        try bench.bus.start()
        try await bench.events.next(.state("entry", "radio-service-down"))
        bench.stop()
    }

    @Test func aBluetoothdThatHangsOnTheAirIsNoticed() async throws {
        let bench = try await RadioBench.onAir(patience: RadioPatience(quiet: 50, doubt: 50, silent: 500))
        let link = try #require(try await bench.link())
        let hold = bench.bluez.hang()
        try await bench.events.next(.state("entry", "radio-service-silent"))
        hold.signal()
        try await bench.events.next(.state("entry", "radio-ready"))
        // Whoever was connected may be so still.
        #expect(!bench.events.all.contains(.closed(link)))
        bench.stop()
    }

    @Test func oneThatTakesItsTimeIsNotSilent() async throws {
        let bench = try await RadioBench.onAir(patience: RadioPatience(quiet: 20, doubt: 20, silent: 1_000))
        let link = try #require(try await bench.link())
        bench.bluez.perform { $0.silent = ["Disconnect"] }
        try bench.radios.drop(link)
        let time = MonotonicTime.milliseconds + 1_500
        try bench.setDue(time)
        try await bench.events.next(.due(time))
        #expect(!bench.events.all.contains(.state("entry", "radio-service-silent")))
        bench.stop()
    }

    @Test func aBusThatDiesIsFoundAgain() async throws {
        let bench = try await RadioBench.onAir()
        let link = try #require(try await bench.link())
        bench.bus.kill()
        try await bench.events.next(.closed(link))
        try await bench.events.next(.state("entry", "radio-bus-down"))
        bench.bluez.stop()
        try bench.bus.start()
        try await bench.bluez.start { $0.addAdapter() }
        try await bench.events.next(.state("entry", "radio-ready"))
        bench.stop()
    }

    @Test func aBluetoothdThatComesBackIsToldEverythingAgain() async throws {
        let bench = try await RadioBench.onAir()
        let link = try #require(try await bench.link())
        bench.bluez.stop()
        try await bench.events.next(.closed(link))
        try await bench.events.next(.state("entry", "radio-service-down"))
        try await bench.bluez.start { $0.addAdapter() }
        try await bench.bluez.asked.nextApplication()
        try await bench.events.next(.state("entry", "radio-ready"))
        #expect(try await bench.link()?.id != link.id)
        bench.stop()
    }

    @Test func switchedOffAndOnItIsOnTheAirAgain() async throws {
        let bench = try await RadioBench.onAir()
        bench.bluez.perform { $0.set(ScriptedBluez.hci0, BluezName.adapter, "Powered", .bool(false)) }
        try await bench.events.next(.state("entry", "radio-off"))
        bench.bluez.perform { $0.set(ScriptedBluez.hci0, BluezName.adapter, "Powered", .bool(true)) }
        // bluetoothd has kept the application; of the advertisement nobody knows.
        try await bench.bluez.asked.next(.advertisementUnregistered(adapter: ScriptedBluez.hci0))
        try await bench.events.next(.state("entry", "radio-ready"))
        bench.stop()
    }

    @Test func anAdapterThatIsUnpluggedComesBack() async throws {
        let bench = try await RadioBench.onAir()
        let link = try #require(try await bench.link())
        bench.bluez.perform { $0.remove(ScriptedBluez.hci0) }
        try await bench.events.next(.closed(link))
        try await bench.events.next(.state("entry", "radio-absent"))
        bench.bluez.perform { $0.addAdapter("/org/bluez/hci1") }
        try await bench.bluez.asked.nextApplication(at: "/org/bluez/hci1")
        try await bench.events.next(.state("entry", "radio-ready"))
        bench.stop()
    }

    @Test func eachRadioHasItsOwnAdapter() async throws {
        let bench = try RadioBench([("entry", "00:1A:7D:DA:71:13"), ("exit", nil)])
        try await bench.bluez.start { bluez in
            bluez.addAdapter("/org/bluez/hci0", address: "11:11:11:11:11:11")
            bluez.addAdapter("/org/bluez/hci1")
        }
        try bench.radios.start()
        try await bench.bluez.asked.next("the advertisement of the first radio at hci1") {
            guard case .advertisementRegistered(adapter: "/org/bluez/hci1", let shown) = $0 else { return false }
            return shown["LEAdvertisement1.LocalName"] == "Works entry"
        }
        let link = try await bench.link(1, at: "/org/bluez/hci0")
        #expect(link?.radio == "exit")
        bench.stop()
    }

    @Test func twoAdaptersWithoutAnAddressAreTooMany() async throws {
        let bench = try RadioBench()
        try await bench.bluez.start { bluez in
            bluez.addAdapter()
            bluez.addAdapter("/org/bluez/hci1", address: "11:11:11:11:11:11")
        }
        try bench.radios.start()
        try await bench.events.next(.state("entry", "radio-ambiguous"))
        bench.stop()
    }

    @Test func whatBluetoothdRefusesIsAskedAgain() async throws {
        let bench = try RadioBench()
        try await bench.bluez.start { bluez in
            bluez.addAdapter()
            bluez.refusals["RegisterAdvertisement"] = BusFailure(name: "org.bluez.Error.NotPermitted", text: "Maximum advertisements reached")
        }
        try bench.radios.start()
        try await Self.isRefusedOnce(bench, "RegisterAdvertisement", then: ["radio-ready"])
        bench.stop()
    }

    @Test func thatAnAdapterStaysPairableIsToldOnce() async throws {
        let bench = try RadioBench()
        try await bench.bluez.start { bluez in
            bluez.addAdapter()
            for method in ["Set", "RegisterApplication"] { bluez.refusals[method] = BusFailure(name: "org.bluez.Error.Failed", text: "Failed") }
        }
        try bench.radios.start()
        for _ in 1...3 { try await bench.bluez.asked.next(call: "RegisterApplication") }
        let notes = bench.events.all.filter { if case .note = $0 { true } else { false } }
        #expect(notes == [.note("radio-stays-pairable", "bluetoothd refused Pairable: Failed (org.bluez.Error.Failed).")])
        bench.stop()
    }

    @Test func aBusThatForbidsIsAskedAgain() async throws {
        let bench = try RadioBench()
        try await bench.bluez.start { bluez in
            bluez.addAdapter()
            bluez.refusals["GetManagedObjects"] = BusFailure(name: "org.freedesktop.DBus.Error.AccessDenied", text: "Rejected send message")
        }
        try bench.radios.start()
        try await Self.isRefusedOnce(bench, "GetManagedObjects", then: ["radio-starting", "radio-ready"])
        bench.stop()
    }

    /// The method is asked for a third time, so that it was refused twice, before it is refused no more.
    private static func isRefusedOnce(_ bench: RadioBench, _ method: String, then after: [String]) async throws {
        for _ in 1...3 { try await bench.bluez.asked.next(call: method) }
        bench.bluez.perform { $0.refusals = [:] }
        try await bench.events.next(.state("entry", "radio-ready"))
        let states = bench.events.all.compactMap { if case .state(_, let code) = $0 { code } else { nil } }
        #expect(Array(states.drop { $0 != "radio-refused" }) == ["radio-refused"] + after)
    }

    @Test func aReleasedAdvertisementIsRegisteredAgain() async throws {
        let bench = try await RadioBench.onAir()
        try await bench.bluez.asked.nextAdvertisement()
        bench.bluez.perform { $0.release() }
        try await bench.bluez.asked.nextAdvertisement()
        bench.stop()
    }

    @Test func theNextPhoneFindsItWhileOneIsConnected() async throws {
        let bench = try await RadioBench.onAir()
        try await bench.bluez.asked.nextAdvertisement()
        _ = try await bench.link()
        try await bench.bluez.asked.nextAdvertisement()
        #expect(!bench.events.all.contains(.state("entry", "radio-refused")))
        bench.stop()
    }

    @Test func aBlockedAdapterIsNamed() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tb-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: folder) }
        let block = folder.appendingPathComponent("hci0/rfkill3")
        try FileManager.default.createDirectory(at: block, withIntermediateDirectories: true)
        try "1\n".write(to: block.appendingPathComponent("soft"), atomically: true, encoding: .utf8)
        try "0\n".write(to: block.appendingPathComponent("hard"), atomically: true, encoding: .utf8)
        let bench = try RadioBench(folder: folder.path)
        try await bench.bluez.start { $0.addAdapter(isPowered: false) }
        try bench.radios.start()
        try await bench.events.next(.state("entry", "radio-blocked"))
        try "1\n".write(to: block.appendingPathComponent("hard"), atomically: true, encoding: .utf8)
        try await bench.events.next(.state("entry", "radio-switched-off"))
        bench.stop()
    }

    @Test func anAdapterThatCanOnlyBeACentralIsNamed() async throws {
        let bench = try RadioBench()
        try await bench.bluez.start { $0.addAdapter(roles: ["central"]) }
        try bench.radios.start()
        try await bench.events.next(.state("entry", "radio-no-peripheral-role"))
        bench.stop()
    }

    @Test func itsTimersAreTheClientsToo() async throws {
        let bench = try await RadioBench.onAir()
        let time = MonotonicTime.milliseconds + 20
        try bench.setDue(time)
        try await bench.events.next(.due(time))
        #expect(MonotonicTime.milliseconds >= time)
        bench.stop()
    }

    @Test func withNobodyNearItWakesOnlyToSaySo() async throws {
        let rounds = Mutex(0)
        let loops = Loops(limit: 100, onRound: { _ in rounds.withLock { $0 += 1 } })
        let bench = try await RadioBench.onAir(loops: loops)
        let start = MonotonicTime.milliseconds + 50
        try bench.setDue(start)
        try await bench.events.next(.due(start))
        let before = rounds.withLock { $0 }
        try bench.setDue(start + 500)
        try await bench.events.next(.due(start + 500))
        // Every 50 ms, however long it took until this thread was told; the rest is the test's own and bluetoothd's last words.
        #expect(rounds.withLock { $0 } - before <= Int(MonotonicTime.milliseconds - start) / 50 + 10)
        bench.stop()
    }

    @Test func bluetoothdsSettingsAreLookedAt() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tb-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("main.conf").path
        let ours = try BluetoothSettingsTests.shipped("Config/bluetooth.conf")
        try ours.replacingOccurrences(of: "Channels = 1", with: "#Channels").write(toFile: file, atomically: true, encoding: .utf8)
        let bench = try RadioBench()
        // Nobody says how bluetoothd is started: nothing is said of it.
        try await bench.bluez.start { $0.addAdapter() }
        try bench.radios.start()
        try await bench.events.next(.settings([]))
        bench.bluez.stop()
        let systemd = try ScriptedBluez(bench.bus.address)
        try await systemd.start(name: "org.freedesktop.systemd1") { $0.addCommand(["bluetoothd", "-f", file]) }
        try await bench.bluez.start { $0.addAdapter() }
        try await bench.events.next(.settings(["bluetooth-channels"]))
        // A file that is not there is no settings at all.
        try FileManager.default.removeItem(atPath: file)
        bench.bluez.stop()
        try await bench.bluez.start { $0.addAdapter() }
        try await bench.events.next("settings with bluetooth-mode") {
            if case .settings(let codes) = $0 { codes.contains("bluetooth-mode") } else { false }
        }
        // One that cannot be read, whoever runs this.
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        bench.bluez.stop()
        try await bench.bluez.start { $0.addAdapter() }
        try await bench.events.next(.settings(["bluetooth-settings-unread"]))
        // Nobody says which one it is: systemd has no such unit, or does not let us ask.
        for (error, codes) in [("org.freedesktop.DBus.Error.UnknownObject", []), ("org.freedesktop.DBus.Error.AccessDenied", ["bluetooth-settings-unread"])] {
            systemd.perform { $0.refusals["Get"] = BusFailure(name: error, text: "") }
            bench.bluez.stop()
            try await bench.bluez.start { $0.addAdapter() }
            try await bench.events.next(.settings(codes))
        }
        systemd.stop()
        bench.stop()
    }

    @Test func whatIsTooDeepIsPassedOver() async throws {
        let bench = try await RadioBench.onAir()
        _ = try await bench.link()
        let deep = (0..<2 * BusReader.deepest).reduce(BusValue.bool(false)) { value, _ in .variant(value) }
        bench.bluez.perform { bluez in
            let properties = BusValue.dictionary(of: "sv", [BusEntry(key: .string("Powered"), value: deep)])
            bluez.emit(ScriptedBluez.hci0, BusName.properties, "PropertiesChanged", [.string(BluezName.adapter), properties, .strings([])])
        }
        #expect(try await bench.bluez.write([1], ScriptedBluez.phone(1)) == .success([]))
        #expect(!bench.events.all.contains(.state("entry", "radio-off")))
        bench.stop()
    }

    @Test func itsEndClosesWhatIsOpen() async throws {
        let bench = try await RadioBench.onAir()
        let link = try #require(try await bench.link())
        bench.stop()
        #expect(bench.events.all.contains(.closed(link)))
    }

    @Test func itsEndHangsUpOnWhoeverIsConnected() async throws {
        let bench = try await RadioBench.onAir()
        let links = [try #require(try await bench.link(1)), try #require(try await bench.link(2))]
        try bench.radios.stop()
        for (number, link) in zip(1...2, links) {
            try await bench.bluez.asked.next(.disconnect(device: ScriptedBluez.phone(number)))
            #expect(bench.events.all.contains(.closed(link)))
        }
        bench.stop()
    }

    @Test func whatIsOwedIsGivenBeforeTheEnd() async throws {
        let bench = try await RadioBench.onAir()
        let links = [try #require(try await bench.link(1)), try #require(try await bench.link(2))]
        let kept = Mutex<WriteAnswer?>(nil)
        bench.behave { manners in
            manners.wrote = { _, value, _, answer in if value == [1] { kept.withLock { $0 = answer } } }
        }
        async let given = bench.bluez.write([1], ScriptedBluez.phone(1))
        async let owed = bench.bluez.write([2], ScriptedBluez.phone(2))
        _ = try await bench.events.next("both writes", each: [{ $0 == .wrote([1], links[0]) }, { $0 == .wrote([2], links[1]) }])
        // The answer lies behind the word to stop.
        let radios = try bench.radios
        radios.wake {
            radios.mailbox.leave(.stop)
            kept.withLock { $0 }?.accept()
        }
        #expect(try await given == .success([]))
        #expect(try await owed == .failure(.attribute(0x80)))
        bench.stop()
    }
}
