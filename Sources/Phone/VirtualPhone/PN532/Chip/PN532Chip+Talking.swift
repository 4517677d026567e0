extension PN532Chip {
    /// So much of a phone's answer goes into one frame to the host (UM0701-02, 7.3.8).
    private static let longestPart = 262
    private static let moreFollows: UInt8 = 0x40
    private static let targetMask: UInt8 = 0x3F

    // InDataExchange (7.3.8).
    mutating func exchangeData(_ parameters: [UInt8]) -> Reply {
        guard let first = parameters.first else { return .syntaxError }
        guard first & Self.targetMask == 1, var target else { return .answer([PN532Status.context.rawValue]) }
        defer { if self.target != nil { self.target = target } }
        let data = Array(parameters.dropFirst())
        if first & Self.moreFollows != 0 {
            target.begun += data
            return .answer([PN532Status.good.rawValue])
        }
        if data.isEmpty, target.begun.isEmpty, !target.rest.isEmpty { return .answer(Self.part(of: &target.rest)) }
        let command = target.begun + data
        target.begun = []
        target.rest = []
        guard target.reader != nil else { return exchangeRaw(AirFrame(checked: command), isChecked: true) }
        switch target.reader?.exchange(command, &air, patience: settings.patience) {
        case nil, .never?: return .pending
        case .failed(let status)?: return .answer([status.rawValue])
        case .answer(let answer)?:
            target.rest = answer
            return .answer(Self.part(of: &target.rest))
        }
    }

    private static func part(of rest: inout [UInt8]) -> [UInt8] {
        let part = rest.prefix(longestPart)
        rest.removeFirst(part.count)
        return [rest.isEmpty ? PN532Status.good.rawValue : PN532Status.moreInformation] + part
    }

    // InCommunicateThru (7.3.9): the registers say what a frame is.
    mutating func communicateThrough(_ parameters: [UInt8]) -> Reply {
        // Nothing to send: the chip listens only, and nobody speaks without being asked.
        guard !parameters.isEmpty else {
            air.setField(true)
            air.pass(settings.patience ?? 0)
            return settings.patience == nil ? .pending : .answer([PN532Status.timeOut.rawValue])
        }
        let frame = registers.sendsChecksum ? AirFrame(checked: parameters) : AirFrame(parameters, lastBits: registers.lastBits)
        return exchangeRaw(frame, isChecked: registers.expectsChecksum)
    }

    private mutating func exchangeRaw(_ frame: AirFrame, isChecked: Bool) -> Reply {
        switch air.exchange(frame, patience: settings.patience) {
        case .never: return .pending
        case .silence: return .answer([PN532Status.timeOut.rawValue])
        case .frame(let answer):
            guard isChecked else { return .answer([PN532Status.good.rawValue] + answer.bytes) }
            return .answer(answer.payload.map { [PN532Status.good.rawValue] + $0 } ?? [PN532Status.checksum.rawValue])
        }
    }

    // InPSL (7.3.7): protocol and parameter selection, to a phone in ISO-DEP (ISO/IEC 14443-4, 5.3).
    mutating func selectBitRate(_ parameters: [UInt8]) -> Reply {
        guard parameters.count == 3, let toPhone = AirRate(rawValue: parameters[1]), AirRate(rawValue: parameters[2]) == toPhone else {
            return .syntaxError
        }
        guard parameters[0] == 1, target?.reader != nil else { return .answer([PN532Status.context.rawValue]) }
        let request = AirFrame(checked: [0xD0, 0x11, toPhone.rawValue << 2 | toPhone.rawValue])
        guard case .frame(let answer) = air.exchange(request, patience: settings.patience) else {
            return .answer([PN532Status.timeOut.rawValue])
        }
        guard answer.payload == [0xD0] else { return .answer([PN532Status.protocolError.rawValue]) }
        air.rate = toPhone
        return .answer([PN532Status.good.rawValue])
    }

    // InDeselect and InRelease (7.3.10, 7.3.11). 0 means all targets.
    mutating func leave(_ parameters: [UInt8], forGood: Bool) -> Reply {
        guard parameters.count == 1 else { return .syntaxError }
        guard parameters[0] <= 1 else { return .answer([PN532Status.context.rawValue]) }
        if target?.reader != nil {
            _ = air.exchange(AirFrame(checked: ISODEPBlock.deselect.payload), patience: settings.patience)
            target?.reader = nil
        }
        if forGood { target = nil }
        return .answer([PN532Status.good.rawValue])
    }

    private static let wakeUpCommand: UInt8 = 0x52

    // InSelect (7.3.12): the phone that was found before, also out of its sleep.
    mutating func select(_ parameters: [UInt8]) -> Reply {
        guard parameters.count == 1 else { return .syntaxError }
        guard parameters[0] == 1, let known = target else { return .answer([PN532Status.context.rawValue]) }
        if known.reader != nil { return .answer([PN532Status.good.rawValue]) }
        if activate([], with: Self.wakeUpCommand) != nil { return .answer([PN532Status.good.rawValue]) }
        target = known
        return .answer([PN532Status.timeOut.rawValue])
    }
}
