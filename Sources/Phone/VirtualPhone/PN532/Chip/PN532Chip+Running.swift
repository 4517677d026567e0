extension PN532Chip {
    static let firmware: [UInt8] = [0x32, 0x01, 0x06, 0x07]

    /// Does what a command says.
    mutating func run(_ command: PN532Command, _ parameters: [UInt8]) -> Reply {
        switch command {
        case .diagnose: diagnose(parameters)
        case .getFirmwareVersion: .answer(Self.firmware)
        case .getGeneralStatus: generalStatus()
        case .readRegister: readRegisters(parameters)
        case .writeRegister: writeRegisters(parameters)
        case .setSerialBaudRate: parameters.count == 1 && parameters[0] <= 0x08 ? .answer([]) : .syntaxError
        case .setParameters: setParameters(parameters)
        case .configureSAM: configureSAM(parameters)
        case .powerDown: (1...2).contains(parameters.count) ? .answer([PN532Status.good.rawValue]) : .syntaxError
        case .configureRF: configureRF(parameters)
        case .listPassiveTarget: listPassiveTarget(parameters)
        case .exchangeData: exchangeData(parameters)
        case .communicateThrough: communicateThrough(parameters)
        case .selectBitRate: selectBitRate(parameters)
        case .deselect: leave(parameters, forGood: false)
        case .release: leave(parameters, forGood: true)
        case .select: select(parameters)
        }
    }

    // Diagnose (7.2.1): 0 answers what was said, 1 and 2 test memories.
    private func diagnose(_ parameters: [UInt8]) -> Reply {
        switch parameters.first {
        case 0x00: .answer(parameters)
        case 0x01, 0x02: .answer([0x00])
        default: .syntaxError
        }
    }

    // GetGeneralStatus (7.2.3): last error, external field, targets, SAM.
    private func generalStatus() -> Reply {
        let targets: [UInt8] = target == nil ? [0x00] : [0x01, 0x01, air.rate.rawValue, air.rate.rawValue, 0x00]
        return .answer([0x00, 0x00] + targets + [0x80])
    }

    private func readRegisters(_ parameters: [UInt8]) -> Reply {
        guard !parameters.isEmpty, parameters.count.isMultiple(of: 2) else { return .syntaxError }
        return .answer(stride(from: 0, to: parameters.count, by: 2).map { registers[Self.address(parameters, $0)] })
    }

    private mutating func writeRegisters(_ parameters: [UInt8]) -> Reply {
        guard !parameters.isEmpty, parameters.count.isMultiple(of: 3) else { return .syntaxError }
        for offset in stride(from: 0, to: parameters.count, by: 3) {
            registers[Self.address(parameters, offset)] = parameters[offset + 2]
        }
        return .answer([])
    }

    private static func address(_ parameters: [UInt8], _ offset: Int) -> UInt16 {
        UInt16(parameters[offset]) << 8 | UInt16(parameters[offset + 1])
    }

    private mutating func setParameters(_ parameters: [UInt8]) -> Reply {
        guard parameters.count == 1 else { return .syntaxError }
        settings.parameters = parameters[0]
        return .answer([])
    }

    // SAMConfiguration (7.2.10): mode 1 is "no SAM", the others need one.
    private mutating func configureSAM(_ parameters: [UInt8]) -> Reply {
        guard (1...3).contains(parameters.count), (0x01...0x04).contains(parameters[0]) else { return .syntaxError }
        power = .normal
        return .answer([])
    }

    // RFConfiguration (7.3.1): how many bytes each item has.
    private static let itemLengths: [UInt8: Int] = [0x01: 1, 0x02: 3, 0x04: 1, 0x05: 3, 0x0A: 11, 0x0B: 8, 0x0C: 3, 0x0D: 9]

    private mutating func configureRF(_ parameters: [UInt8]) -> Reply {
        guard let item = parameters.first, Self.itemLengths[item] == parameters.count - 1 else { return .syntaxError }
        switch item {
        case 0x01: setField(parameters[1] & 0x01 != 0)
        case 0x02: settings.communicationTimeOut = parameters[3]
        case 0x05: settings.passiveActivationRetries = parameters[3]
        default: break
        }
        return .answer([])
    }

    private mutating func setField(_ isOn: Bool) {
        if !isOn { target = nil }
        air.setField(isOn)
    }
}

/// Status bytes (UM0701-02, 7.1).
enum PN532Status: UInt8 {
    case good = 0x00
    /// Nobody answered in time.
    case timeOut = 0x01
    /// The checksum on the air was wrong.
    case checksum = 0x02
    /// The phone does not keep to the protocol.
    case protocolError = 0x0B
    /// The command does not fit what went before.
    case context = 0x27

    /// Set in the status when more is to be fetched.
    static let moreInformation: UInt8 = 0x40
}
