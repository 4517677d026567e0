extension PN532Chip {
    private static let requestCommand: UInt8 = 0x26
    private static let isoTypeA: UInt8 = 0x00
    private static let lastModulation: UInt8 = 0x04
    private static let mostTargets: UInt8 = 2
    /// Retries without end.
    private static let endless: UInt8 = 0xFF
    /// One try in which nobody answers; the manual names no time.
    private static let tryNanoseconds: Int64 = 5_000_000

    // InListPassiveTarget (7.3.5). There is nothing in the field but type A.
    mutating func listPassiveTarget(_ parameters: [UInt8]) -> Reply {
        guard parameters.count >= 2, (1...Self.mostTargets).contains(parameters[0]), parameters[1] <= Self.lastModulation else {
            return .syntaxError
        }
        target = nil
        guard parameters[1] == Self.isoTypeA else {
            air.setField(true)
            return .answer([0])
        }
        let retries = settings.passiveActivationRetries
        search = Search(
            identifier: Array(parameters.dropFirst(2)), triesLeft: retries == Self.endless ? nil : Int(retries) + 1, next: air.time)
        goOnSearching()
        return .pending
    }

    /// Tries as often as the time has come for it.
    mutating func goOnSearching() {
        guard var search else { return }
        air.time = max(air.time, search.next)
        if let found = activate(search.identifier) {
            self.search = nil
            return finish(.answer([1] + found))
        }
        search.triesLeft = search.triesLeft.map { $0 - 1 }
        if search.triesLeft == 0 {
            self.search = nil
            air.pass(Self.tryNanoseconds)
            return finish(.answer([0]))
        }
        // A search that is limited takes no time where time does not count; one without end must not keep anybody busy.
        search.next = air.isTimed || search.triesLeft == nil ? air.time + Self.tryNanoseconds : air.time
        self.search = search
        if search.next <= air.time { goOnSearching() }
    }

    /// Asks who is there, tells apart, selects, and asks for the ATS: what is reported of the phone, or nil.
    /// - Parameter identifier: the phone that is wanted, with its cascade tags; empty: any.
    mutating func activate(_ identifier: [UInt8], with request: UInt8 = PN532Chip.requestCommand) -> [UInt8]? {
        target = nil
        air.rate = .r106
        // Whoever looks into the buffer of the interface finds what was asked last.
        registers[PN532Registers.fifoData] = request
        registers.setForShortFrames()
        guard let answer = ask(AirFrame([request], lastBits: 7)), answer.bytes.count == 2,
              let (found, acknowledge) = selectIdentifier(identifier)
        else { return nil }
        registers.setForWholeFrames()
        var report = [1, answer.bytes[1], answer.bytes[0], acknowledge, UInt8(found.count)] + found
        var select: [UInt8]?
        if acknowledge & 0x20 != 0, settings.asksForSelect {
            guard let ats = ask(AirFrame(checked: [0xE0, ISODEPReader.frameLengthIndex << 4]))?.payload else { return nil }
            report += ats
            select = ats
        }
        target = Target(reader: select.map { ISODEPReader(answerToSelect: $0) })
        return report
    }

    /// Cascade level by cascade level (ISO/IEC 14443-3, 6.5.3).
    private mutating func selectIdentifier(_ wanted: [UInt8]) -> (identifier: [UInt8], acknowledge: UInt8)? {
        var found: [UInt8] = []
        for (level, command) in [UInt8]([0x93, 0x95, 0x97]).enumerated() {
            guard let whole = ask(AirFrame([command, 0x20]))?.bytes, whole.count == 5, whole.reduce(0, ^) == 0 else { return nil }
            let part = Array(whole.prefix(4))
            let wantedPart = wanted.dropFirst(level * 4).prefix(4)
            guard wantedPart.isEmpty || Array(wantedPart) == part else { return nil }
            guard let acknowledge = ask(AirFrame(checked: [command, 0x70] + whole))?.payload?.first else { return nil }
            let isIncomplete = acknowledge & AirCard.cascadeIncomplete != 0
            found += isIncomplete ? Array(part.dropFirst()) : part
            if !isIncomplete { return (found, acknowledge) }
        }
        return nil
    }

    /// At activation nobody computes: what does not come within a few frames does not come.
    private static let activationPatience: Int64 = 5_000_000

    private mutating func ask(_ frame: AirFrame) -> AirFrame? {
        guard case .frame(let answer) = air.exchange(frame, patience: Self.activationPatience) else { return nil }
        return answer
    }
}

/// The registers of the contactless interface, as far as anybody reads what they wrote. All begin with zero, except where it
/// matters to somebody.
struct PN532Registers {
    static let transmitMode: UInt16 = 0x6302
    static let receiveMode: UInt16 = 0x6303
    static let fifoData: UInt16 = 0x6339
    static let control: UInt16 = 0x633C
    static let bitFraming: UInt16 = 0x633D

    private static let checksumBit: UInt8 = 0x80
    private static let lastBitsMask: UInt8 = 0x07

    private var values: [UInt16: UInt8] = [:]

    subscript(address: UInt16) -> UInt8 {
        get { values[address] ?? 0 }
        set { values[address] = newValue }
    }

    /// The chip appends checksums to what it sends.
    var sendsChecksum: Bool { self[Self.transmitMode] & Self.checksumBit != 0 }
    /// The chip checks and removes those of what it receives.
    var expectsChecksum: Bool { self[Self.receiveMode] & Self.checksumBit != 0 }
    /// A request of seven bits without a checksum was sent last, and nobody has set the registers since: the next raw frame goes out
    /// like it. (Who announces a reader with a PN532 must write them first, as others have found.)
    mutating func setForShortFrames() {
        self[Self.transmitMode] &= ~Self.checksumBit
        self[Self.receiveMode] &= ~Self.checksumBit
        self[Self.bitFraming] = Self.lastBitsMask
    }

    /// As they are once a phone is selected.
    mutating func setForWholeFrames() {
        self[Self.transmitMode] |= Self.checksumBit
        self[Self.receiveMode] |= Self.checksumBit
        self[Self.bitFraming] = 0
    }

    var lastBits: Int { Int(self[Self.bitFraming] & Self.lastBitsMask) }
}
