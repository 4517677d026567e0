/// The services by which phones find gates (docs/phone-protocol.md, T4).
public enum GateService: CaseIterable, Sendable {
    /// A phone is only presented.
    case onTouch
    /// A person starts each command.
    case classic

    /// What such a gate advertises, unless its installer chose another one.
    public var uuid: BluetoothUUID {
        switch self {
        case .onTouch: BluetoothUUID(0x0000_5301_0010_002A, 0x426C_7565_4944_2A00)
        case .classic: BluetoothUUID(0x0000_5301_0000_002A, 0x426C_7565_4944_2A00)
        }
    }
}
