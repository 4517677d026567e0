/// What the kernel's management of adapters says (mgmt-api of BlueZ).
struct ControllerEvent: Hashable, Sendable {
    /// The adapter that it is about.
    let index: UInt16
    let content: Content

    enum Content: Hashable, Sendable {
        /// The end of a command.
        case ended(command: UInt16, ControllerStatus, [UInt8])
        /// A device was heard.
        case sighted(SightedDevice)
        /// The adapter has gone.
        case removed
        /// Something that does not matter here, or that cannot be read.
        case other(UInt16)
    }

    private enum Code: UInt16 {
        case commandComplete = 0x0001
        case commandStatus = 0x0002
        case indexRemoved = 0x0005
        case deviceFound = 0x0012
    }

    /// Reads any bytes; nil if they are no event.
    init?(parsing bytes: [UInt8]) {
        var reader = LittleEndianReader(bytes)
        guard let code = reader.number16(), let index = reader.number16(), let length = reader.number16(),
              let parameters = reader.bytes(Int(length)), reader.isAtEnd else { return nil }
        self.index = index
        content = Code(rawValue: code).flatMap { Self.read($0, parameters) } ?? .other(code)
    }

    private static func read(_ code: Code, _ parameters: [UInt8]) -> Content? {
        var reader = LittleEndianReader(parameters)
        switch code {
        case .commandComplete, .commandStatus:
            guard let command = reader.number16(), let status = reader.byte() else { return nil }
            return .ended(command: command, ControllerStatus(rawValue: status), reader.remaining())
        case .deviceFound: return SightedDevice(parsing: parameters).map(Content.sighted)
        case .indexRemoved: return .removed
        }
    }
}

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
