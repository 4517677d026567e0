import CPCSC

/// A reader without a gate: SCardTransmit in a loop.
///
/// `@unchecked Sendable`: made on one thread, then used by the reader's thread alone.
final class BareReader: @unchecked Sendable {
    private var context: SCARDCONTEXT = 0
    private var card: SCARDHANDLE = 0
    private var activeProtocol: DWORD = 0
    private var answer = [UInt8](repeating: 0, count: Int(CPCSC_LONGEST_ANSWER))

    /// Connects to the card in a slot, which must be there within five seconds.
    init(_ reader: String) throws(BenchError) {
        guard SCardEstablishContext(DWORD(SCARD_SCOPE_SYSTEM), nil, nil, &context) == 0 else {
            throw BenchError("the private pcscd does not answer")
        }
        let deadline = Clock.now + 5_000_000_000
        while SCardConnect(context, reader, DWORD(SCARD_SHARE_EXCLUSIVE), DWORD(SCARD_PROTOCOL_T1), &card, &activeProtocol) != 0 {
            guard Clock.now < deadline else { throw BenchError("there is no card in \(reader)") }
            Clock.pause(milliseconds: 50)
        }
    }

    deinit {
        _ = SCardDisconnect(card, DWORD(SCARD_LEAVE_CARD))
        _ = SCardReleaseContext(context)
    }

    /// Sends the commands one after another. The nanoseconds until each answer was there; nil when one
    /// was not what it should be.
    func send(_ steps: [TapRecorder.Step]) -> [Int64]? {
        var times: [Int64] = []
        times.reserveCapacity(steps.count)
        let start = Clock.now
        for step in steps {
            var length = answer.count
            guard cpcsc_transmit(card, UInt32(activeProtocol), step.command, step.command.count, &answer, &length) == 0,
                  length == step.response.count else { return nil }
            times.append(Clock.now - start)
        }
        return times
    }
}
