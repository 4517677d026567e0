/// How systemd starts bluetoothd, and with it which settings it reads.
enum ServiceCommand {
    /// What bluetoothd reads when nobody tells it another one.
    static let usualFile = "/etc/bluetooth/main.conf"

    /// The file with the settings.
    /// - Parameter arguments: of the program, its own name first.
    static func settingsFile(_ arguments: [String]) -> String {
        var file = usualFile
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            if argument == "-f" || argument == "--configfile" {
                file = rest.popFirst() ?? file
            } else if let value = value(of: argument) {
                file = value
            }
        }
        return file
    }

    /// The arguments in ExecStart of org.freedesktop.systemd1.Service, `a(sasbttttuii)`; nil when there is no command.
    static func arguments(_ execStart: BusValue?) -> [String]? {
        guard let parts = execStart?.elements?.first?.elements, parts.count > 1 else { return nil }
        return parts[1].texts
    }

    private static func value(of argument: String) -> String? {
        for start in ["--configfile=", "-f"] where argument.hasPrefix(start) { return String(argument.dropFirst(start.count)) }
        return nil
    }
}
