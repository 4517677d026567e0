import Files

/// A dbus-daemon of the benchmark's own.
final class PrivateBus {
    private static let program = "/usr/bin/dbus-daemon"

    /// As D-Bus writes it.
    let address: String
    private let daemon: ChildProcess

    /// Returns when it takes connections.
    init(folder: String) throws {
        try Folder.make(folder)
        address = "unix:path=\(folder)/socket"
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>\(address)</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow user="*"/>
                <allow own="*"/>
                <allow send_destination="*"/>
                <allow receive_sender="*"/>
              </policy>
            </busconfig>

            """
        try SmallFile.replace("\(folder)/configuration", with: Array(configuration.utf8), mode: 0o600)
        let said = "\(folder)/address"
        daemon = try ChildProcess(
            [Self.program, "--config-file=\(folder)/configuration", "--nofork", "--nopidfile", "--nosyslog", "--print-address=1"], output: said)
        // It says where it listens once it does.
        let deadline = Clock.now + Patience.step
        while (try? SmallFile.read(said))?.isEmpty ?? true {
            guard daemon.isRunning else { throw BenchError("\(Self.program) ended before it listened") }
            guard Clock.now < deadline else { throw BenchError("\(Self.program) did not say where it listens in \(Patience.step / 1_000_000_000) s") }
            Clock.pause(milliseconds: 5)
        }
    }

    func stop() { try? daemon.end() }
}
