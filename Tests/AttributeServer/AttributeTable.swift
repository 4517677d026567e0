/// The attributes that a gate shows: a second opinion on what a client reads (Core 5.4, Vol 3 Part G, 3).
public struct AttributeTable: Sendable {
    /// A characteristic of the service.
    public struct Characteristic: Sendable {
        /// The least significant byte first, 2 or 16 bytes.
        public let uuid: [UInt8]
        public let properties: UInt8

        public init(_ uuid: [UInt8], properties: UInt8 = 0x0A) {
            self.uuid = uuid
            self.properties = properties
        }
    }

    struct Service: Sendable {
        let uuid: [UInt8]
        let first: UInt16
        let last: UInt16
        /// Handles of the declarations; the value follows each.
        let characteristics: [(handle: UInt16, Characteristic)]
    }

    let services: [Service]

    /// Services in their order; handles begin at 1, and each service leaves a gap.
    public init(_ given: [(uuid: [UInt8], characteristics: [Characteristic])]) {
        var next: UInt16 = 1
        var services: [Service] = []
        for service in given {
            let first = next
            next += 1
            var declared: [(handle: UInt16, Characteristic)] = []
            for characteristic in service.characteristics {
                declared.append((next, characteristic))
                next += 2
            }
            services.append(Service(uuid: service.uuid, first: first, last: next - 1, characteristics: declared))
            next += 5
        }
        self.services = services
    }

    /// The declarations in this range.
    func declarations(from first: UInt16, to last: UInt16) -> [(handle: UInt16, value: [UInt8])] {
        services.flatMap(\.characteristics).filter { first <= $0.handle && $0.handle <= last }.map { handle, characteristic in
            (handle, [characteristic.properties] + bytes(handle + 1) + characteristic.uuid)
        }
    }

    func hasValue(at handle: UInt16) -> Bool {
        services.flatMap(\.characteristics).contains { $0.handle + 1 == handle }
    }
}

func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }

func number(_ bytes: [UInt8], _ at: Int) -> UInt16? {
    bytes.count >= at + 2 ? UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8 : nil
}
