/// The search for a characteristic in the services that were found (Core 5.4, Vol 3 Part G, 4.6.2).
struct ATTSearch: Hashable, Sendable {
    /// nil: the first that can be read and written.
    private let wanted: BluetoothUUID?
    /// The part of a service that is not searched yet, and the services after it.
    private var handles: ClosedRange<UInt16>
    private var others: ArraySlice<ClosedRange<UInt16>>

    /// What came of a list of characteristics.
    enum Finding: Hashable {
        /// Its value has this handle.
        case found(UInt16)
        /// Ask on from here.
        case more(ATTSearch)
        /// It is in none of the services.
        case nowhere
        /// That is no list of characteristics, or not one of what was asked for.
        case malformed
    }

    /// «Characteristic» (Part G, 3.3.1).
    private static let declaration = BluetoothUUID(short: 0x2803)
    /// Can be read, can be written with a response (Part G, 3.3.1.1).
    private static let readAndWrite: UInt8 = 0x02 | 0x08

    /// nil if there is no service.
    init?(services: [ClosedRange<UInt16>], for wanted: BluetoothUUID?) {
        guard let first = services.first else { return nil }
        self.wanted = wanted
        handles = first
        others = services.dropFirst()
    }

    var request: ATTRequest { .readByType(handles, type: Self.declaration) }

    /// The same in the next service; nil if there is none.
    var inNextService: ATTSearch? {
        guard let next = others.first else { return nil }
        var search = self
        search.handles = next
        search.others = others.dropFirst()
        return search
    }

    /// Takes the answer to `request`. Every answer brings the search on, so that it ends.
    func handle(_ attributes: [ATTResponse.Attribute]) -> Finding {
        var last: UInt16?
        for attribute in attributes {
            guard handles.contains(attribute.handle), attribute.handle > last ?? 0,
                  let declared = Self.read(attribute.value), handles.contains(declared.handle), declared.handle > attribute.handle
            else { return .malformed }
            if wanted.map({ $0 == declared.uuid }) ?? (declared.properties & Self.readAndWrite == Self.readAndWrite) {
                return .found(declared.handle)
            }
            last = attribute.handle
        }
        guard let last, last < handles.upperBound else { return inNextService.map(Finding.more) ?? .nowhere }
        var search = self
        search.handles = (last + 1)...handles.upperBound
        return .more(search)
    }

    private static func read(_ value: [UInt8]) -> (properties: UInt8, handle: UInt16, uuid: BluetoothUUID)? {
        var reader = LittleEndianReader(value)
        guard let properties = reader.byte(), let handle = reader.number16(), [2, 16].contains(reader.count),
              let uuid = BluetoothUUID(littleEndian: reader.remaining()) else { return nil }
        return (properties, handle, uuid)
    }
}

/// Where a client of the Attribute Protocol stands.
enum ATTStage: Hashable, Sendable {
    /// Nothing is asked.
    case idle
    /// The gate is asked how long a PDU it can take.
    case exchangingMTU
    /// The gate is asked where the service is; in it this characteristic is wanted.
    case findingService(BluetoothUUID?)
    /// The service is known, its characteristics are asked for.
    case findingCharacteristic(ATTSearch)
    /// A whole value is on its way.
    case writing
    /// A part of a value is on its way.
    case preparing(PreparedWrite)
    /// All parts are there and are to be written.
    case committing
    /// The parts are to be forgotten, for this reason.
    case forgetting(ATTFailure)
    /// The beginning of this attribute is asked for.
    case reading(UInt16)
    /// So much of this attribute is here, and more may follow.
    case readingMore(UInt16, [UInt8])
}
