/// The phone's side of the Attribute Protocol on one connection (Core 5.4, Vol 3 Parts F and G), without the connection: PDUs
/// in, PDUs out. It asks one thing at a time and answers what a gate may ask meanwhile. Never traps, whatever comes.
public struct ATTClient: Sendable {
    /// What is to be done next.
    public enum Action: Hashable, Sendable {
        /// Send this PDU, then go on listening.
        case send([UInt8])
        /// Go on listening.
        case listen
        /// The procedure is over.
        case finish(ATTEnd)
    }

    /// The longest PDU that both sides can take.
    public private(set) var mtu = ATTLimits.leastMTU
    /// Requests so far.
    public private(set) var requests = 0
    /// What the phone says it can take.
    private let wantedMTU: Int
    private var stage = ATTStage.idle
    /// What is to be answered; nil between procedures.
    private var asked: ATTOpcode?
    /// Why nothing can be asked any more.
    private var broken: ATTFailure?

    /// «Primary Service» (Part G, 3.1).
    private static let primaryService: UInt16 = 0x2800

    /// - Parameter wantedMTU: what is told to the gate; brought to 23–517.
    public init(wantedMTU: Int = ATTLimits.greatestMTU) {
        self.wantedMTU = min(max(wantedMTU, ATTLimits.leastMTU), ATTLimits.greatestMTU)
    }

    /// Begins a procedure. One that is running must have ended.
    public mutating func start(_ procedure: ATTProcedure) -> Action {
        precondition(asked == nil, "whoever drives the client waits for the end of a procedure")
        if let broken { return .finish(.failed(broken)) }
        switch procedure {
        case .exchangeMTU: return ask(.exchangeMTU(UInt16(wantedMTU)), .exchangingMTU)
        case .find(let service, let characteristic):
            return ask(.findByTypeValue(1...UInt16.max, type: Self.primaryService, value: service.shortestLittleEndian),
                       .findingService(characteristic))
        case .write(let handle, let value):
            guard value.count > mtu - ATTLimits.writeHeader else { return ask(.write(handle, value: value), .writing) }
            return prepare(value, to: handle, offset: 0)
        case .writePrepared(let handle, let value, let offset): return prepare(value, to: handle, offset: offset)
        case .read(let handle): return ask(.read(handle), .reading(handle))
        }
    }

    /// Takes a PDU from the gate.
    public mutating func receive(_ bytes: [UInt8]) -> Action {
        switch ATTMessage(parsing: bytes) {
        case .response(let response):
            return bytes.count <= mtu ? accept(response) : breakOff(bytes.first)
        case .exchangeMTU(let theirs):
            // Both sides may ask; what counts afterwards is the smaller of the two (3.4.2.2).
            mtu = agreed(theirs)
            return .send([ATTOpcode.exchangeMTUResponse.rawValue] + UInt16(wantedMTU).littleEndianBytes)
        case .request(let opcode, let code):
            // Without a handle: the phone has no attributes (3.4.1.1).
            return .send([ATTOpcode.errorResponse.rawValue, opcode, 0x00, 0x00, code.rawValue])
        case .indication: return .send([ATTOpcode.confirmation.rawValue])
        case .ignorable: return .listen
        case .malformed(let opcode): return breakOff(opcode)
        }
    }

    private func agreed(_ theirs: UInt16) -> Int { max(ATTLimits.leastMTU, min(Int(theirs), wantedMTU)) }

    private mutating func ask(_ request: ATTRequest, _ next: ATTStage) -> Action {
        stage = next
        asked = request.opcode
        requests += 1
        return .send(request.encoded)
    }

    private mutating func finish(_ end: ATTEnd) -> Action {
        stage = .idle
        asked = nil
        return .finish(end)
    }

    /// The rest of this connection is good for nothing.
    private mutating func breakOff(_ opcode: UInt8?) -> Action {
        let failure = broken ?? .malformed(opcode)
        broken = failure
        return finish(.failed(failure))
    }

    private mutating func accept(_ response: ATTResponse) -> Action {
        if case .error(let request, _, let code) = response {
            guard let asked, request == asked.rawValue else { return breakOff(response.opcode) }
            return handleError(code, to: asked)
        }
        switch stage {
        case .idle: break
        case .exchangingMTU:
            guard case .exchangeMTU(let theirs) = response else { break }
            mtu = agreed(theirs)
            return finish(.agreed(mtu: mtu))
        case .findingService(let characteristic):
            guard case .findByTypeValue(let groups) = response else { break }
            return search(ATTSearch(services: groups, for: characteristic))
        case .findingCharacteristic(let search):
            guard case .readByType(let attributes) = response else { break }
            return accept(search.handle(attributes))
        case .writing:
            guard response == .write else { break }
            return finish(.written)
        case .preparing(let write):
            guard case .prepareWrite(let handle, let offset, let part) = response else { break }
            return handleEcho(ATTRequest.prepareWrite(handle, offset: offset, part: part), of: write)
        case .committing:
            guard response == .executeWrite else { break }
            return finish(.written)
        case .forgetting(let failure):
            guard response == .executeWrite else { break }
            return finish(.failed(failure))
        case .reading(let handle):
            guard case .read(let part) = response else { break }
            return accept(part, after: [], of: handle)
        case .readingMore(let handle, let value):
            guard case .readBlob(let part) = response else { break }
            return accept(part, after: value, of: handle)
        }
        return breakOff(response.opcode)
    }

    private mutating func handleError(_ code: ATTErrorCode, to asked: ATTOpcode) -> Action {
        let refused = ATTFailure.refused(request: asked.rawValue, code)
        switch stage {
        // A gate that knows no exchange can take the least (Part G, 4.3.1).
        case .exchangingMTU where code == .requestNotSupported: return finish(.agreed(mtu: mtu))
        case .findingService where code == .attributeNotFound: return finish(.failed(.noService))
        case .findingCharacteristic(let search) where code == .attributeNotFound: return self.search(search.inNextService)
        // What was there before would stay in the gate's queue.
        case .preparing(let write) where write.isBegun: return forget(refused)
        case .forgetting(let failure): return finish(.failed(failure))
        // The value ended where the last part did (3.4.4.5).
        case .readingMore(_, let value) where code == .invalidOffset || code == .attributeNotLong: return finish(.value(value))
        case .idle, .exchangingMTU, .findingService, .findingCharacteristic, .writing, .preparing, .committing, .reading, .readingMore:
            return finish(.failed(refused))
        }
    }

    // Finding -----------------------------------------------------------------------------------

    private mutating func search(_ search: ATTSearch?) -> Action {
        guard let search else { return finish(.failed(.noCharacteristic)) }
        return ask(search.request, .findingCharacteristic(search))
    }

    private mutating func accept(_ finding: ATTSearch.Finding) -> Action {
        switch finding {
        case .found(let handle): finish(.found(handle))
        case .more(let search): self.search(search)
        case .nowhere: search(nil)
        case .malformed: breakOff(ATTOpcode.readByTypeResponse.rawValue)
        }
    }

    // Writing in parts --------------------------------------------------------------------------

    private mutating func prepare(_ value: [UInt8], to handle: UInt16, offset: Int) -> Action {
        guard let write = PreparedWrite(value, to: handle, offset: offset, partLength: mtu - ATTLimits.prepareHeader) else {
            return finish(.failed(.tooLong))
        }
        return ask(write.request, .preparing(write))
    }

    private mutating func handleEcho(_ echo: ATTRequest, of write: PreparedWrite) -> Action {
        var write = write
        guard echo == write.request else { return forget(.echo) }
        guard write.advance() else { return ask(.executeWrite(commits: true), .committing) }
        return ask(write.request, .preparing(write))
    }

    private mutating func forget(_ failure: ATTFailure) -> Action {
        ask(.executeWrite(commits: false), .forgetting(failure))
    }

    // Reading to the end ------------------------------------------------------------------------

    /// A part that fills its PDU may have a next one (Part G, 4.8.3).
    private mutating func accept(_ part: [UInt8], after value: [UInt8], of handle: UInt16) -> Action {
        let value = value + part
        guard value.count <= ATTLimits.longestValue else { return finish(.failed(.tooLong)) }
        guard part.count == mtu - ATTLimits.readHeader, value.count < ATTLimits.longestValue else { return finish(.value(value)) }
        return ask(.readBlob(handle, offset: UInt16(value.count)), .readingMore(handle, value))
    }
}
