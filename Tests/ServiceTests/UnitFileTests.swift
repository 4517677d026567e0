import Foundation
import Testing
import Waits

/// What Debian installs beside the program (docs/installing.md).
@Suite("The unit and its companions")
struct UnitFileTests {
    static let top = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func lines(_ path: String) throws -> [String] {
        try String(contentsOf: top.appendingPathComponent(path), encoding: .utf8)
            .split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }

    static let tool = "/usr/bin/systemd-analyze"

    func analyze(_ arguments: [String]) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.tool)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let said = try process.finish(reading: [pipe])
        return (process.terminationStatus, said[0])
    }

    static let units = ["tapstiled.service", "tapstile-nfc@.service", "tapstile-net.service", "tapstile-publish@.service", "tapstile-timestamp@.service",
                        "tapstile-invitations@.service"]
    static let allUnits = units + ["tapstile-nfc@.socket", "tapstile-net.socket", "tapstile-publish@.timer", "tapstile-timestamp@.timer"]

    @Test("Their exposure is at most 2.0", .enabled(if: FileManager.default.fileExists(atPath: tool)), arguments: units)
    func exposure(unit name: String) throws {
        let unit = Self.top.appendingPathComponent("systemd/\(name)").path
        let (status, text) = try analyze(["security", "--offline=yes", "--no-pager", "--threshold=20", unit])
        #expect(status == 0, "\(text)")
    }

    @Test("systemd understands every line", .enabled(if: FileManager.default.fileExists(atPath: tool)), arguments: allUnits)
    func understood(unit name: String) throws {
        let unit = Self.top.appendingPathComponent("systemd/\(name)").path
        let text = try analyze(["verify", "--man=no", unit]).text
        // The programs are not installed here; nothing else may be said about our units.
        let ours = name.split(separator: "@")[0]
        let complaints = text.split(separator: "\n").filter { $0.contains(ours) && !$0.contains("is not executable") }
        #expect(complaints == [])
    }

    @Test("What the gate needs is open, what it must not have is closed", arguments: [
        "Type=notify", "User=tapstile", "Group=tapstile-gate",
        "SupplementaryGroups=tapstile tapstile-operators tapstile-observers", "RuntimeDirectoryMode=0755", "StateDirectory=tapstile",
        "RuntimeDirectory=tapstile", "ConfigurationDirectory=tapstile", "DevicePolicy=closed",
        "DeviceAllow=char-gpiochip rw", "RestrictAddressFamilies=AF_UNIX AF_BLUETOOTH", "CapabilityBoundingSet=",
        "Environment=SWIFT_BACKTRACE=enable=no", "WatchdogSec=2s", "WatchdogSignal=SIGKILL", "Restart=always",
        "ReadOnlyPaths=/etc/tapstile", "ReadWritePaths=-/sys/devices", "ExecReload=/usr/bin/tapstile reload",
        "ExecStart=/usr/bin/tapstiled --config /etc/tapstile/tapstile.toml",
        "ExecStopPost=/usr/bin/tapstiled --lines-at-safe-level --config /etc/tapstile/tapstile.toml", "StartLimitIntervalSec=0"
    ])
    func settings(line: String) throws {
        #expect(try Self.lines("systemd/tapstiled.service").contains(line))
    }

    @Test("A PN532's program has its port, its socket, and nothing else", arguments: [
        "User=tapstile-nfc", "Group=tapstile-nfc", "SupplementaryGroups=dialout", "DevicePolicy=closed", "DeviceAllow=char-ttyUSB rw",
        "DeviceAllow=char-spi rw", "DeviceAllow=char-i2c rw", "RestrictAddressFamilies=AF_UNIX", "PrivateNetwork=yes", "CapabilityBoundingSet=",
        "WatchdogSec=2s", "WatchdogSignal=SIGKILL", "Restart=no", "StartLimitIntervalSec=0", "Environment=LIBNFC_LOG_LEVEL=0",
        "Environment=SWIFT_BACKTRACE=enable=no"
    ])
    func reader(line: String) throws {
        #expect(try Self.lines("systemd/tapstile-nfc@.service").contains(line))
    }

    @Test("Only the gate may ask for a PN532, and as often as it likes", arguments: [
        "ListenStream=/run/tapstile-nfc/%i.sock", "SocketUser=tapstile", "SocketMode=0600", "TriggerLimitIntervalSec=0", "WantedBy=sockets.target",
        "Wants=modprobe@usbserial.service modprobe@cdc_acm.service modprobe@spidev.service modprobe@i2c_dev.service",
        "After=modprobe@usbserial.service modprobe@cdc_acm.service modprobe@spidev.service modprobe@i2c_dev.service"
    ])
    func readerSocket(line: String) throws {
        #expect(try Self.lines("systemd/tapstile-nfc@.socket").contains(line))
    }

    @Test("The fetcher has the network, and nothing of the gate's", arguments: [
        "User=tapstile-net", "Group=tapstile-net", "ExecStart=/usr/bin/tapstile-net fetch --config /etc/tapstile/tapstile.toml", "CapabilityBoundingSet=", "LimitFSIZE=0", "MemoryMax=48M",
        "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK", "InaccessiblePaths=-/var/lib/tapstile -/etc/tapstile/keys -/run/tapstile",
        "PrivateDevices=yes", "ProtectSystem=strict", "WatchdogSec=30s", "WatchdogSignal=SIGKILL", "Restart=no", "StartLimitIntervalSec=0",
        "Environment=SWIFT_BACKTRACE=enable=no"
    ])
    func fetcher(line: String) throws {
        #expect(try Self.lines("systemd/tapstile-net.service").contains(line))
    }

    @Test("Only the gate may ask for files, and as often as it likes", arguments: [
        "ListenStream=/run/tapstile-net/fetch.sock", "SocketUser=tapstile", "SocketMode=0600", "TriggerLimitIntervalSec=0", "WantedBy=sockets.target"
    ])
    func fetcherSocket(line: String) throws {
        #expect(try Self.lines("systemd/tapstile-net.socket").contains(line))
    }

    @Test("An office publishes every hour, where it is and nowhere else", arguments: [
        "ExecStart=/usr/bin/tapstile-authority publish --dir /var/lib/tapstile-authority/%i", "User=tapstile-authority", "Type=oneshot",
        "ReadWritePaths=/var/lib/tapstile-authority/%i /var/lib/tapstile-repository/%i", "PrivateNetwork=yes", "UMask=0022", "CapabilityBoundingSet=",
        "Restart=on-failure", "StartLimitBurst=5", "StartLimitIntervalSec=30min"
    ])
    func publication(line: String) throws {
        #expect(try Self.lines("systemd/tapstile-publish@.service").contains(line))
    }

    @Test("The server of invitations has its own folder, and nothing of the office", arguments: [
        "ExecStart=/usr/bin/tapstile-authority serve --dir /var/lib/tapstile-invitations/%i", "User=tapstile-invitations", "Type=notify",
        "ExecReload=/bin/kill -HUP $MAINPID", "ReadWritePaths=/var/lib/tapstile-invitations/%i", "CapabilityBoundingSet=CAP_NET_BIND_SERVICE", "UMask=0077",
        "InaccessiblePaths=-/var/lib/tapstile-authority -/var/lib/tapstile-repository -/var/lib/tapstile -/etc/tapstile -/etc/tapstile-authority"
    ])
    func invitations(line: String) throws {
        #expect(try Self.lines("systemd/tapstile-invitations@.service").contains(line))
    }

    @Test("A machine beside the web server signs the time, and has one key for it", arguments: [
        "LoadCredential=timestamp.key:/etc/tapstile-authority/%i.timestamp.key",
        "ExecStart=/usr/bin/tapstile-authority publish --timestamp --repo /var/lib/tapstile-repository/%i --key %d/timestamp.key",
        "User=tapstile-timestamp", "ReadWritePaths=/var/lib/tapstile-repository/%i/metadata", "InaccessiblePaths=-/var/lib/tapstile-authority",
        "PrivateNetwork=yes", "UMask=0022", "CapabilityBoundingSet="
    ])
    func timestamp(line: String) throws {
        #expect(try Self.lines("systemd/tapstile-timestamp@.service").contains(line))
    }

    @Test("Hourly, not all at the same moment, and after a night without power at once", arguments: ["publish", "timestamp"])
    func timers(name: String) throws {
        let lines = try Self.lines("systemd/tapstile-\(name)@.timer")
        for line in ["OnCalendar=hourly", "RandomizedDelaySec=5min", "Persistent=true", "WantedBy=timers.target"] { #expect(lines.contains(line)) }
    }

    @Test("The office's folders are where its units look, and keys are nobody else's")
    func officeFolders() throws {
        let folders = try Self.lines("systemd/tapstile-authority.tmpfiles").map { $0.split(separator: " ").map(String.init) }
        #expect(folders == [
            ["d", "/var/lib/tapstile-authority", "0700", "tapstile-authority", "tapstile-authority", "-"],
            ["d", "/var/lib/tapstile-repository", "0755", "tapstile-authority", "tapstile-authority", "-"],
            ["d", "/var/cache/tapstile-authority", "0700", "tapstile-authority", "tapstile-authority", "-"],
            ["d", "/var/lib/tapstile-invitations", "0750", "tapstile-invitations", "tapstile-invitations", "-"],
            ["d", "/etc/tapstile-authority", "0700", "root", "root", "-"]
        ])
        let users = try Self.lines("systemd/tapstile-authority.sysusers")
        #expect(users.filter { $0.hasPrefix("u ") }.count == 3 && users.allSatisfy { $0.hasSuffix("/usr/sbin/nologin") || $0.hasPrefix("m ") })
        // The office reads what a server of invitations took back, and nothing else of it.
        #expect(users.filter { $0.hasPrefix("m ") } == ["m tapstile-authority tapstile-invitations"])
    }

    @Test("Nothing hides the GPIO lines, the clock can be asked, and the socket be given away")
    func pitfalls() throws {
        let lines = try Self.lines("systemd/tapstiled.service")
        for forbidden in ["ProtectClock=yes", "PrivateDevices=yes", "PrivateUsers=yes"] { #expect(!lines.contains(forbidden)) }
        let filters = lines.filter { $0.hasPrefix("SystemCallFilter=") }
        // systemd applies them in this order: the last one gives back what the second took.
        #expect(filters.last == "SystemCallFilter=adjtimex clock_adjtime setpriority ioprio_set lchown fchownat")
        #expect(filters.first == "SystemCallFilter=@system-service")
    }

    @Test("User, group and folders have one name everywhere")
    func names() throws {
        let users = try Self.lines("systemd/tapstile.sysusers")
        #expect(users.contains { $0.hasPrefix("u tapstile -:tapstile-gate ") })
        #expect(users.contains("g tapstile-gate -") && users.contains("g tapstile -"))
        let rule = try #require(try Self.lines("udev/60-tapstile.rules").first)
        #expect(rule.contains("KERNEL==\"gpiochip[0-9]*\""))
        #expect(rule.contains("GROUP=\"tapstile-gate\""))
        #expect(rule.contains("MODE=\"0660\""))
        #expect(try Self.lines("systemd/tapstile.tmpfiles").contains("d /etc/tapstile/keys 0750 root tapstile-gate -"))
    }

    /// Whoever operates the gate can neither move a line past it nor read its keys.
    @Test("People's groups own nothing but their sockets", arguments: [
        "systemd/tapstile.sysusers", "systemd/tapstile.tmpfiles", "systemd/tapstiled.service", "systemd/tapstile-nfc@.service",
        "systemd/tapstile-net.service",
        "udev/60-tapstile.rules"
    ])
    func operators(path: String) throws {
        for line in try Self.lines(path) {
            #expect(line.firstMatch(of: /(^Group=|GROUP="|:)tapstile(-operators|-observers)?("| |$)/) == nil, "\(line)")
            // tmpfiles.d: type, path, mode, user, group, age.
            if line.hasPrefix("d ") { #expect(!["tapstile", "tapstile-operators", "tapstile-observers"].contains(line.split(separator: " ")[4]), "\(line)") }
        }
    }

    static let accountsTool = "/usr/bin/systemd-sysusers"

    @Test("systemd makes the user and the groups as meant", .enabled(if: FileManager.default.fileExists(atPath: accountsTool)))
    func accounts() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("tapstile-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        try FileManager.default.createDirectory(at: root.appendingPathComponent("etc"), withIntermediateDirectories: true)
        for name in ["passwd", "group"] { try Data().write(to: root.appendingPathComponent("etc/\(name)")) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.accountsTool)
        process.arguments = ["--root=\(root.path)", Self.top.appendingPathComponent("systemd/tapstile.sysusers").path]
        process.standardError = FileHandle.nullDevice
        try process.run()
        try process.finish()
        #expect(process.terminationStatus == 0)
        func fields(_ file: String) throws -> [[String]] {
            try String(contentsOf: root.appendingPathComponent("etc/\(file)"), encoding: .utf8)
                .split(separator: "\n").map { $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init) }
        }
        let groups = try fields("group")
        #expect(Set(groups.map { $0[0] }) == ["tapstile-gate", "tapstile", "tapstile-operators", "tapstile-observers", "tapstile-nfc", "tapstile-net"])
        #expect(groups.allSatisfy { $0[3].isEmpty })
        for (name, group) in [("tapstile", "tapstile-gate"), ("tapstile-nfc", "tapstile-nfc"), ("tapstile-net", "tapstile-net")] {
            let user = try #require(try fields("passwd").first { $0[0] == name })
            #expect(user[3] == groups.first { $0[0] == group }?[2])
        }
    }
}
