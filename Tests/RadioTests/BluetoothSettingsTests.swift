import Foundation
import Testing

@testable import Radio

@Suite("The settings of bluetoothd")
struct BluetoothSettingsTests {
    static let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func shipped(_ path: String) throws -> String {
        try String(contentsOf: top.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func keysAreReadByGroup() throws {
        let file = try #require(SettingsFile("# first\n\n[A]\nx=1\n y = 2 # not a comment \n[B]\nx=\n[A]\nx = 3\r\n"))
        #expect(file["A", "x"] == "3")
        #expect(file["A", "y"] == "2 # not a comment")
        #expect(file["B", "x"] == "")
        #expect(file["B", "y"] == nil)
        #expect(file["C", "x"] == nil)
    }

    @Test(arguments: ["x=1", "[A]\nx", "[A]\n=1", "[]\nx=1", "[A\nx=1"])
    func whatBluetoothdWouldNotReadIsNotRead(text: String) {
        #expect(SettingsFile(text) == nil)
    }

    @Test func ourOwnSettingsAreWhatPhonesNeed() throws {
        #expect(BluetoothSettings.findings(try Self.shipped("Config/bluetooth.conf"), file: "f") == [])
    }

    @Test func debiansAreNamedOneByOne() {
        // What /etc/bluetooth/main.conf of Debian 12 and 13 sets.
        let findings = BluetoothSettings.findings("[General]\n[Policy]\nAutoEnable=true\n", file: "/etc/bluetooth/main.conf")
        #expect(findings.map(\.code) == [
            "bluetooth-mode", "bluetooth-asks-phones", "bluetooth-advertises-slowly", "bluetooth-channels", "bluetooth-cache"
        ])
        for finding in findings {
            #expect(finding.message.contains("/etc/bluetooth/main.conf"))
            #expect(finding.message.contains("`systemctl restart bluetooth`"))
        }
    }

    @Test(arguments: [
        ("ControllerMode = le", "ControllerMode = dual", "bluetooth-mode"),
        ("ReverseServiceDiscovery = false", "ReverseServiceDiscovery = true", "bluetooth-asks-phones"),
        ("MaxAdvertisementInterval = 192", "MaxAdvertisementInterval = 2048", "bluetooth-advertises-slowly"),
        ("MaxAdvertisementInterval = 192", "", "bluetooth-advertises-slowly"),
        ("MinAdvertisementInterval = 160", "MinAdvertisementInterval = 193", "bluetooth-advertises-slowly"),
        ("MinAdvertisementInterval = 160", "MinAdvertisementInterval = soon", "bluetooth-advertises-slowly"),
        ("Channels = 1", "Channels = 3", "bluetooth-channels"), ("Cache = no", "Cache = always", "bluetooth-cache"),
        ("AutoEnable = true", "AutoEnable = false", "bluetooth-stays-off")
    ])
    func eachSettingCounts(line: String, other: String, code: String) throws {
        let text = try Self.shipped("Config/bluetooth.conf")
        #expect(text.contains(line))
        #expect(BluetoothSettings.findings(text.replacingOccurrences(of: line, with: other), file: "f").map(\.code) == [code])
    }

    @Test func whatCannotBeKnownIsNamedWithItsRemedy() {
        let file = BluetoothSettings.unread(file: "/etc/bluetooth/main.conf", reason: "Permission denied")
        #expect(file.code == "bluetooth-settings-unread")
        for part in ["/etc/bluetooth/main.conf", "Permission denied", "`chmod"] { #expect(file.message.contains(part)) }
        let command = BluetoothSettings.unread(command: "org.freedesktop.DBus.Error.AccessDenied")
        #expect(command.code == file.code)
        for part in ["AccessDenied", "`systemctl cat bluetooth`"] { #expect(command.message.contains(part)) }
    }

    @Test func aFileThatCannotBeReadIsNoSettings() {
        #expect(BluetoothSettings.findings("nonsense", file: "f").map(\.code).contains("bluetooth-mode"))
    }

    @Test(arguments: [
        (["bluetoothd"], "/etc/bluetooth/main.conf"), (["bluetoothd", "-d", "-f", "/a"], "/a"), (["bluetoothd", "-f/a", "-E"], "/a"),
        (["bluetoothd", "--configfile=/a"], "/a"), (["bluetoothd", "--configfile", "/a", "-f", "/b"], "/b"),
        (["bluetoothd", "-f"], "/etc/bluetooth/main.conf"), ([String](), "/etc/bluetooth/main.conf")
    ])
    func theFileIsNamedByTheCommand(arguments: [String], file: String) {
        #expect(ServiceCommand.settingsFile(arguments) == file)
    }

    @Test func ourDropInNamesOurFile() throws {
        let lines = try Self.shipped("systemd/bluetooth.service.d/50-tapstile.conf").split(separator: "\n").map(String.init)
        let commands = lines.filter { $0.hasPrefix("ExecStart=") }
        // Emptied first: a service of its type has one command.
        #expect(commands.first == "ExecStart=")
        #expect(commands.count == 2)
        let arguments = (commands.last ?? "").dropFirst("ExecStart=".count).split(separator: " ").map(String.init)
        #expect(arguments.first == "/usr/libexec/bluetooth/bluetoothd")
        let file = ServiceCommand.settingsFile(arguments)
        let folder = file.dropFirst().replacingOccurrences(of: "/bluetooth.conf", with: "")
        #expect(try Self.shipped("debian/tapstile.install").contains("Config/bluetooth.conf \(folder)\n"))
        #expect(try Self.shipped("scripts/install").contains(" \(file) "))
    }
}
