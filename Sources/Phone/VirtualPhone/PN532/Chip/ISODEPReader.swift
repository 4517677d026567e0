/// The reader's side of ISO/IEC 14443-4, 7.5, as the chip's firmware runs it: one command APDU out, its answer in, chaining and
/// requests for more time included.
struct ISODEPReader {
    enum Result: Equatable {
        case answer([UInt8])
        case failed(PN532Status)
        /// No answer, and no time limit.
        case never
    }

    /// FSDI of this chip's RATS: frames of at most 64 bytes towards it, which is what the buffer of the interface holds. The manual names
    /// no value.
    static let frameLengthIndex: UInt8 = 5
    /// More than any answer, so that a phone that never ends is given up.
    private static let longestAnswer = 0x1_0000

    /// The longest frame the phone takes, checksum included.
    private let frameLength: Int
    /// Rule A.
    private var number: UInt8 = 0

    /// - Parameter answerToSelect: with its length byte. The index of the frame length is in the low half of T0 (5.2.3).
    init(answerToSelect: [UInt8]) {
        let index: UInt8 = answerToSelect.count > 1 ? answerToSelect[1] & 0x0F : 2
        frameLength = ISODEPBlock.frameLength(index: index)
    }

    mutating func exchange(_ command: [UInt8], _ air: inout Air, patience: Int64?) -> Result {
        var rest = command[...]
        while true {
            let part = rest.prefix(frameLength - ISODEPBlock.overhead)
            rest = rest.dropFirst(part.count)
            let block = ISODEPBlock.information(Array(part), number: number, isChained: !rest.isEmpty)
            switch send(block, &air, patience) {
            case .failure(let end): return end
            case .success(.acknowledge(number: number)) where !rest.isEmpty: number ^= 1
            case .success(.information(let data, number: number, isChained: let isChained)) where rest.isEmpty:
                number ^= 1
                return collect(data, isChained: isChained, &air, patience)
            case .success: return .failed(.protocolError)
            }
        }
    }

    private mutating func collect(_ first: [UInt8], isChained: Bool, _ air: inout Air, _ patience: Int64?) -> Result {
        var (answer, goesOn) = (first, isChained)
        while goesOn, answer.count < Self.longestAnswer {
            switch send(.acknowledge(number: number), &air, patience) {
            case .failure(let end): return end
            case .success(.information(let data, number: number, isChained: let isChained)):
                number ^= 1
                answer += data
                goesOn = isChained
            case .success: return .failed(.protocolError)
            }
        }
        return .answer(answer)
    }

    private enum Said {
        case success(ISODEPBlock)
        case failure(Result)
    }

    /// One block and what comes back for it; requests for more time are granted.
    private func send(_ block: ISODEPBlock, _ air: inout Air, _ patience: Int64?) -> Said {
        var block = block
        while true {
            switch air.exchange(AirFrame(checked: block.payload), patience: patience) {
            case .never: return .failure(.never)
            case .silence: return .failure(.failed(.timeOut))
            case .frame(let frame):
                guard let payload = frame.payload else { return .failure(.failed(.checksum)) }
                guard let answer = ISODEPBlock(payload) else { return .failure(.failed(.protocolError)) }
                guard case .waitingTime = answer else { return .success(answer) }
                block = answer
            }
        }
    }
}
