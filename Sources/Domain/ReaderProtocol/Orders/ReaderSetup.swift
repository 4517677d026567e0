import Encoding

/// All that the program of a PN532 is told about it. It reads no file of ours.
public struct ReaderSetup: Hashable, Sendable {
    /// Where the chip is, as libnfc names it: `pn532_uart:/dev/serial/by-path/…:115200`.
    public let device: String
    /// What wakes a phone in express mode, without its checksum; empty where none is to be sent.
    public let wakeUpFrame: [UInt8]
    /// From one poll to the next.
    public let cycleMilliseconds: UInt16
    /// So long may a phone take for one answer.
    public let exchangeMilliseconds: UInt16
    public let bitRate: ReaderBitRate
    /// Whether cards that have nothing but a number are told of (V8).
    public let reportsUIDOnlyCards: Bool

    /// The longest name of a device, in bytes of UTF-8.
    public static let mostDeviceBytes = 200
    /// The longest ECP frame.
    public static let mostWakeUpBytes = 24

    /// - Parameters:
    ///   - device: 1 to 200 bytes of UTF-8, none of them zero.
    ///   - wakeUpFrame: at most 24 bytes.
    ///   - cycleMilliseconds: not 0.
    ///   - exchangeMilliseconds: not 0.
    public init(device: String, wakeUpFrame: [UInt8], cycleMilliseconds: UInt16, exchangeMilliseconds: UInt16,
                bitRate: ReaderBitRate = .kilobits106, reportsUIDOnlyCards: Bool = false) throws(FrameError) {
        guard (1...Self.mostDeviceBytes).contains(device.utf8.count), !device.utf8.contains(0) else { throw .body("the device has no proper name") }
        guard wakeUpFrame.count <= Self.mostWakeUpBytes else { throw .body("an ECP frame has \(wakeUpFrame.count) bytes") }
        guard cycleMilliseconds > 0, exchangeMilliseconds > 0 else { throw .body("a time is 0") }
        self.device = device
        self.wakeUpFrame = wakeUpFrame
        self.cycleMilliseconds = cycleMilliseconds
        self.exchangeMilliseconds = exchangeMilliseconds
        self.bitRate = bitRate
        self.reportsUIDOnlyCards = reportsUIDOnlyCards
    }

    init(_ fields: inout FrameFields) throws(FrameError) {
        guard let device = String(validating: try fields.counted(), as: UTF8.self) else { throw .body("the device has no proper name") }
        try self.init(device: device, wakeUpFrame: fields.counted(), cycleMilliseconds: fields.word(), exchangeMilliseconds: fields.word(),
                      bitRate: fields.choice(ReaderBitRate.self), reportsUIDOnlyCards: fields.flag())
    }

    func write(_ text: inout FrameText) {
        text.add(counted: Array(device.utf8))
        text.add(counted: wakeUpFrame)
        text.add(cycleMilliseconds)
        text.add(exchangeMilliseconds)
        text.add(bitRate.rawValue)
        text.add(reportsUIDOnlyCards)
    }
}

/// The highest bit rate that the chip may agree upon with a phone (ISO/IEC 14443-4, 5.3).
public enum ReaderBitRate: UInt8, Hashable, Sendable, CaseIterable {
    /// 106 kbit/s, which every phone has.
    case kilobits106 = 0
    /// 212 kbit/s.
    case kilobits212 = 1
    /// 424 kbit/s.
    case kilobits424 = 2
}
