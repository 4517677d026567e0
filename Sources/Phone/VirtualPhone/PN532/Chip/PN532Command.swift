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

/// When a virtual chip does something wrong.
public struct PN532Misbehaviour: Hashable, Sendable {
    public let fault: PN532Fault
    /// nil: at every command.
    public let command: PN532Command?
    /// So many of these commands are served well before.
    private var skipping: Int
    /// So often it happens; nil: from then on always.
    private var times: Int?

    public init(_ fault: PN532Fault, at command: PN532Command? = nil, after skipping: Int = 0, times: Int? = nil) {
        self.fault = fault
        self.command = command
        self.skipping = skipping
        self.times = times
    }

    /// The fault that this command meets.
    mutating func fault(at command: PN532Command) -> PN532Fault? {
        guard self.command == nil || self.command == command, times != 0 else { return nil }
        guard skipping == 0 else {
            skipping -= 1
            return nil
        }
        times = times.map { $0 - 1 }
        return fault
    }
}

/// What RFConfiguration and SetParameters have set (UM0701-02, 7.2.9 and 7.3.1), as it is after a reset.
struct PN532Settings {
    /// Flags of SetParameters: automatic ATR_RES and RATS.
    var parameters: UInt8 = 0x14
    /// Tries of one search beyond the first; FF: without end.
    var passiveActivationRetries: UInt8 = 0xFF
    /// The time limit of an answer on the air, as a power of two: 0 is none, n is 0.1 ms × 2^(n − 1). 51.2 ms after a reset.
    var communicationTimeOut: UInt8 = 0x0A

    private static let automaticSelect: UInt8 = 0x10

    var asksForSelect: Bool { parameters & Self.automaticSelect != 0 }

    var patience: Int64? {
        communicationTimeOut == 0 ? nil : 100_000 << Int64(min(communicationTimeOut, 0x10) - 1)
    }
}

/// How long the virtual chip takes for what it says.
public struct PN532Timing: Hashable, Sendable {
    /// One byte on the wire; 0 where bytes take no time.
    let byteNanoseconds: Int64
    /// Whether frames on the air take their time.
    let isAirTimed: Bool

    /// Everything happens at once.
    public static let none = PN532Timing(byteNanoseconds: 0, isAirTimed: false)

    /// The true times of bytes: ten bits each on the wire at 115,200 baud, and the bit rate of the air. The chip itself computes in no time.
    public static func bytes() -> PN532Timing {
        PN532Timing(byteNanoseconds: 10_000_000_000 / 115_200, isAirTimed: true)
    }
}
