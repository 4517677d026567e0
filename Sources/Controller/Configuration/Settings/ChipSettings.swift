/// `[reader.chip]`: a PN532 and how it is used (T3).
public struct ChipSettings: Hashable, Sendable {
    public var bus: ChipBus
    /// An absolute path that means the same device after every start.
    public var device: String
    /// Baud on a UART, Hz on SPI; nil leaves it to libnfc, and I²C has none.
    public var speed: Int?
    /// What phones in express mode are told of the gate.
    public var announcement: ChipAnnouncement?
    /// From one look for phones to the next. Milliseconds, 50–250.
    public var cycleMilliseconds: Int
    /// So long may a phone take for one answer. Milliseconds, 100–3300.
    public var exchangeMilliseconds: Int
    /// The highest bit rate that is agreed upon with a phone, in kbit/s: 106, 212, 424.
    public var bitRate: Int
    /// The socket of the program that drives it.
    public var socket: String

    public init(bus: ChipBus, device: String, speed: Int? = nil, announcement: ChipAnnouncement? = nil, cycleMilliseconds: Int = 200,
                exchangeMilliseconds: Int = 1600, bitRate: Int = 106, socket: String) {
        self.bus = bus
        self.device = device
        self.speed = speed
        self.announcement = announcement
        self.cycleMilliseconds = cycleMilliseconds
        self.exchangeMilliseconds = exchangeMilliseconds
        self.bitRate = bitRate
        self.socket = socket
    }
}

/// What a PN532 hangs on. On USB it is one on a serial adapter, so `uart`.
public enum ChipBus: String, Sendable, CaseIterable {
    case uart, spi, i2c
}

/// What wakes phones in express mode (Enhanced Contactless Polling).
public struct ChipAnnouncement: Hashable, Sendable {
    /// The terminal's identifier: 3 bytes, as 6 hexadecimal digits in small letters.
    public var terminal: String
    /// The reader's group: 8 bytes, as 16 hexadecimal digits in small letters; nil for none.
    public var group: String?

    public init(terminal: String, group: String? = nil) {
        self.terminal = terminal
        self.group = group
    }
}
