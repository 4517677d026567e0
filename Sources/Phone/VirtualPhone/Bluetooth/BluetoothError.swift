import Threads

/// Why a phone does not reach a gate over Bluetooth, or no longer.
public enum BluetoothError: Error, Hashable, Sendable {
    /// The kernel has no Bluetooth.
    case unsupported(errno: Int32)
    /// There is no such adapter; nil: none at all.
    case noAdapter(AdapterName)
    /// The adapter is switched off, or has no Low Energy.
    case adapterOff(Adapter)
    /// What only an administrator may do.
    case notPermitted(doing: String)
    /// No gate with this service was heard.
    case nobodyFound(BluetoothUUID)
    /// The gate takes no connection.
    case notReached(BluetoothAddress, errno: Int32)
    /// The link has ended.
    case linkLost(errno: Int32)
    /// The gate does not answer.
    case silent
    /// A person stopped the program.
    case interrupted
    /// The Attribute Protocol did not go as it should.
    case attribute(ATTFailure)
    /// The kernel did not do it, and says this number.
    case command(doing: String, status: UInt8)
    /// A system call failed.
    case failed(doing: String, errno: Int32)

    /// Stable code.
    public var code: String {
        switch self {
        case .unsupported: "bluetooth-unsupported"
        case .noAdapter: "bluetooth-adapter-missing"
        case .adapterOff: "bluetooth-adapter-off"
        case .notPermitted: "bluetooth-not-permitted"
        case .nobodyFound: "bluetooth-nobody-found"
        case .notReached: "bluetooth-not-reached"
        case .linkLost: "bluetooth-link-lost"
        case .silent: "bluetooth-silent"
        case .interrupted: "bluetooth-interrupted"
        case .attribute(let failure): failure.code
        case .command, .failed: "bluetooth-failed"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .unsupported(let errno):
            "This kernel has no Bluetooth (\(SystemError.words(for: errno))); load its module: modprobe bluetooth."
        case .noAdapter(.any): "This machine has no Bluetooth adapter; bluetoothctl list shows those there are."
        case .noAdapter(let name): "This machine has no Bluetooth adapter \(name); bluetoothctl list shows those there are."
        case .adapterOff(let adapter):
            "The Bluetooth adapter hci\(adapter.index) (\(adapter.address)) is off, or has no Low Energy: btmgmt --index \(adapter.index) power on."
        case .notPermitted(let doing):
            "\(doing) needs the capability CAP_NET_ADMIN: run it as root, or name the gate with --address."
        case .nobodyFound(let service): "No gate with the service \(service) was heard: it is off, far away or in the other mode."
        case .notReached(let address, let errno): "The gate \(address) takes no connection: \(SystemError.words(for: errno))."
        case .linkLost(let errno): "The link to the gate has ended: \(SystemError.words(for: errno))."
        case .silent: "The gate did not answer in time."
        case .interrupted: "The program was stopped."
        case .attribute(let failure): failure.message
        case .command(let doing, let status): "\(doing) failed: the kernel says status \(status)."
        case .failed(let doing, let errno): "\(doing) failed: \(SystemError.words(for: errno))."
        }
    }
}
