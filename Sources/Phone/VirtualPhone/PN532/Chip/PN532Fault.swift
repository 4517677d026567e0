/// What a virtual chip can do wrong.
public enum PN532Fault: Hashable, Sendable {
    /// Hears the command and says nothing.
    case silent
    /// Acknowledges the command and says nothing more.
    case acknowledgeOnly
    /// Answers without an acknowledgement.
    case noAcknowledge
    /// Says this in the place of the answer.
    case garbage([UInt8])
    case wrongDataChecksum
    case wrongLengthChecksum
    /// The error frame in the place of the answer.
    case syntaxError
    /// This status in the place of the true one, where an answer has one.
    case status(UInt8)
    /// The status says that there is more, and an answer without anything follows.
    case emptyContinuation
    /// A phone is reported with an ATS of this length, whatever follows it.
    case selectLength(UInt8)
    /// A phone is reported with an identifier of this length, whatever follows it.
    case identifierLength(UInt8)
    /// The answer has so many bytes more than it should.
    case oversized(by: Int)
    /// Each byte comes alone, so many nanoseconds after the one before.
    case trickle(nanoseconds: Int64)
    /// This byte, again and again, without end.
    case endless(UInt8)
}

extension PN532Fault {
    /// The bytes that are said in the place of this answer.
    /// - Parameter asked: the command's own parameters.
    func spoil(_ parameters: [UInt8], of command: PN532Command, _ asked: [UInt8]) -> [UInt8] {
        switch self {
        case .garbage(let bytes): return bytes
        case .wrongDataChecksum: return Self.changed(Self.frame(parameters, command), fromEnd: 2)
        case .wrongLengthChecksum:
            var frame = Self.frame(parameters, command)
            frame[4] &+= 1
            return frame
        case .syntaxError: return PN532Frame.syntaxError.encoded
        case .status(let status) where command.answersWithStatus: return Self.frame([status] + parameters.dropFirst(), command)
        case .emptyContinuation where command.answersWithStatus:
            // The target alone fetches what is left.
            return asked.count == 1 ? Self.frame([], command) : Self.frame([PN532Status.moreInformation] + parameters.dropFirst(), command)
        case .selectLength(let length): return Self.frame(Self.withSelectLength(parameters, length, command), command)
        case .identifierLength(let length): return Self.frame(Self.withIdentifierLength(parameters, length, command), command)
        case .oversized(let more): return Self.frame(parameters + [UInt8](repeating: 0xEE, count: more), command)
        case .silent, .acknowledgeOnly, .noAcknowledge, .status, .emptyContinuation, .trickle, .endless: return Self.frame(parameters, command)
        }
    }

    private static func frame(_ parameters: [UInt8], _ command: PN532Command) -> [UInt8] {
        PN532Frame.information([PN532Frame.fromChip, command.answerCode] + parameters).encoded
    }

    private static func changed(_ bytes: [UInt8], fromEnd: Int) -> [UInt8] {
        var bytes = bytes
        bytes[bytes.count - fromEnd] ^= 0xFF
        return bytes
    }

    // Number of targets, target, SENS_RES, SEL_RES, identifier with its length, ATS with its length.
    private static let identifierLengthOffset = 5

    private static func withSelectLength(_ parameters: [UInt8], _ length: UInt8, _ command: PN532Command) -> [UInt8] {
        guard command == .listPassiveTarget, parameters.count > identifierLengthOffset else { return parameters }
        let offset = identifierLengthOffset + 1 + Int(parameters[identifierLengthOffset])
        guard offset < parameters.count else { return parameters + [length] }
        var parameters = parameters
        parameters[offset] = length
        return parameters
    }

    private static func withIdentifierLength(_ parameters: [UInt8], _ length: UInt8, _ command: PN532Command) -> [UInt8] {
        guard command == .listPassiveTarget, parameters.count > identifierLengthOffset else { return parameters }
        var parameters = parameters
        parameters[identifierLengthOffset] = length
        return parameters
    }
}
