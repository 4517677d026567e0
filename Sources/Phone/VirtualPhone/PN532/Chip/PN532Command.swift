/// The commands that the virtual chip knows (UM0701-02, 7). The answer's code is the next number.
public enum PN532Command: UInt8, Sendable, CaseIterable {
    case diagnose = 0x00
    case getFirmwareVersion = 0x02
    case getGeneralStatus = 0x04
    case readRegister = 0x06
    case writeRegister = 0x08
    case setSerialBaudRate = 0x10
    case setParameters = 0x12
    case configureSAM = 0x14
    case powerDown = 0x16
    case configureRF = 0x32
    case exchangeData = 0x40
    case communicateThrough = 0x42
    case deselect = 0x44
    case listPassiveTarget = 0x4A
    case selectBitRate = 0x4E
    case release = 0x52
    case select = 0x54

    var answerCode: UInt8 { rawValue + 1 }

    /// True where the answer begins with a status byte.
    var answersWithStatus: Bool {
        switch self {
        case .exchangeData, .communicateThrough, .deselect, .release, .select, .selectBitRate, .powerDown: true
        case .diagnose, .getFirmwareVersion, .getGeneralStatus, .readRegister, .writeRegister, .setSerialBaudRate, .setParameters,
             .configureSAM, .configureRF, .listPassiveTarget: false
        }
    }

    /// True for what needs the antenna.
    var needsField: Bool {
        switch self {
        case .exchangeData, .communicateThrough, .deselect, .release, .select, .selectBitRate, .listPassiveTarget: true
        case .diagnose, .getFirmwareVersion, .getGeneralStatus, .readRegister, .writeRegister, .setSerialBaudRate, .setParameters,
             .configureSAM, .configureRF, .powerDown: false
        }
    }
}
