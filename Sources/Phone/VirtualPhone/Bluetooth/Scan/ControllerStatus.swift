/// How a command ended (mgmt-api of BlueZ, error codes). Any byte is one.
struct ControllerStatus: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt8

    static let success = ControllerStatus(rawValue: 0x00)
    static let notConnected = ControllerStatus(rawValue: 0x02)
    static let busy = ControllerStatus(rawValue: 0x0A)
    static let rejected = ControllerStatus(rawValue: 0x0B)
    static let notPowered = ControllerStatus(rawValue: 0x0F)
    static let invalidIndex = ControllerStatus(rawValue: 0x11)
    static let permissionDenied = ControllerStatus(rawValue: 0x14)
}
