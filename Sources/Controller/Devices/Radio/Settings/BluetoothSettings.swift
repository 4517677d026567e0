/// The settings of bluetoothd that phones notice, and what is wrong with them (T13). Pure.
public enum BluetoothSettings {
    /// 120 ms in units of 0.625 ms: above that a phone that looks now and then takes seconds to find the gate.
    private static let longestInterval = 192
    /// The shortest that controllers take (Core Specification 5.3, vol. 4, part E, 7.8.5).
    private static let shortestInterval = 32

    /// What is wrong with the text of a settings file.
    /// - Parameter file: its path, for the sentences.
    public static func findings(_ text: String, file: String) -> [BluetoothFinding] {
        // bluetoothd goes on with its own settings when it cannot read the file.
        let keys = SettingsFile(text) ?? SettingsFile()
        return [
            mode(keys, file), discovery(keys, file), interval(keys, file), channels(keys, file), cache(keys, file), power(keys, file)
        ].compactMap { $0 }
    }

    /// The settings cannot be known, because the file cannot be read.
    /// - Parameter reason: the words for it, `Permission denied`.
    public static func unread(file: String, reason: String) -> BluetoothFinding {
        BluetoothFinding(code: "bluetooth-settings-unread", message: "The gate cannot read bluetoothd's settings in \(file) (\(reason)), so that it "
            + "does not know what phones suffer from. The gate's user needs to read the file: `chmod o+r \(file)`, and `namei -l \(file)` shows "
            + "the folders above it; `systemctl restart bluetooth` has it looked at again.")
    }

    /// The settings cannot be known, because systemd does not tell which file has them.
    /// - Parameter reason: what it answers.
    public static func unread(command reason: String) -> BluetoothFinding {
        BluetoothFinding(code: "bluetooth-settings-unread", message: "systemd does not tell how it starts bluetoothd (\(reason)), so that the gate does "
            + "not know which settings it reads and what phones suffer from. `systemctl cat bluetooth` shows the settings' file behind -f; the policy of "
            + "D-Bus must let the gate ask org.freedesktop.systemd1 for properties; `systemctl restart bluetooth` has it looked at again.")
    }

    private static func mode(_ keys: SettingsFile, _ file: String) -> BluetoothFinding? {
        guard keys["General", "ControllerMode"] != "le" else { return nil }
        return finding("bluetooth-mode", "[General] ControllerMode=le", file, "phones may connect by classic Bluetooth, which has no gate to offer")
    }

    private static func discovery(_ keys: SettingsFile, _ file: String) -> BluetoothFinding? {
        guard keys["General", "ReverseServiceDiscovery"] != "false" else { return nil }
        return finding("bluetooth-asks-phones", "[General] ReverseServiceDiscovery=false", file,
                       "bluetoothd looks into every phone that connects, and an iPhone then asks its owner to pair")
    }

    private static func interval(_ keys: SettingsFile, _ file: String) -> BluetoothFinding? {
        let shortest = keys["LE", "MinAdvertisementInterval"].flatMap { Int($0) }
        let longest = keys["LE", "MaxAdvertisementInterval"].flatMap { Int($0) }
        if let shortest, let longest, shortestInterval <= shortest, shortest <= longest, longest <= longestInterval { return nil }
        return finding("bluetooth-advertises-slowly", "[LE] MinAdvertisementInterval=160 and MaxAdvertisementInterval=192", file,
                       "the gate tells of itself every 1.28 s only, and phones find it late")
    }

    private static func channels(_ keys: SettingsFile, _ file: String) -> BluetoothFinding? {
        guard keys["GATT", "Channels"] != "1" else { return nil }
        return finding("bluetooth-channels", "[GATT] Channels=1", file,
                       "bluetoothd opens more channels to each phone, which some phones answer by disconnecting")
    }

    private static func cache(_ keys: SettingsFile, _ file: String) -> BluetoothFinding? {
        guard keys["GATT", "Cache"] != "no" else { return nil }
        return finding("bluetooth-cache", "[GATT] Cache=no", file, "bluetoothd keeps a file of every phone that ever passed")
    }

    private static func power(_ keys: SettingsFile, _ file: String) -> BluetoothFinding? {
        guard keys["Policy", "AutoEnable"] == "false" else { return nil }
        return finding("bluetooth-stays-off", "[Policy] AutoEnable=true", file, "an adapter that is plugged in stays switched off")
    }

    private static func finding(_ code: String, _ wanted: String, _ file: String, _ harm: String) -> BluetoothFinding {
        BluetoothFinding(code: code, message: "bluetoothd reads \(file), and without \(wanted) there, \(harm). `systemctl cat bluetooth` shows "
            + "whether tapstile's own settings (50-tapstile.conf) are there and not overruled; `systemctl daemon-reload` and `systemctl restart bluetooth` "
            + "put a change into force.")
    }
}
