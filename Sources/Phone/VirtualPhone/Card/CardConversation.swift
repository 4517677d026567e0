/// What is said during one insertion, on the card's own thread.
struct CardConversation: Sendable {
    let socket: CardSocket
    let answerToReset: [UInt8]
    let misbehaviour: CardMisbehaviour?
    let onEvent: @Sendable (CardEvent) -> Void
    let handler: VirtualCard.Handler

    /// Returns when the card is off the reader.
    func run() {
        defer { onEvent(.gone) }
        var commands = 0
        while let message = nextMessage() {
            switch message {
            case .powerOn: onEvent(.powered)
            case .powerOff, .reset: onEvent(.reset)
            case .answerToResetWanted:
                guard say(answerToReset) else { return }
            case .command(let command):
                commands += 1
                onEvent(.command(command))
                guard answer(command, number: commands) else { return }
                onEvent(.answered)
            }
        }
    }

    private func nextMessage() -> ReaderMessage? {
        guard let header = socket.receive(ReaderMessage.lengthBytes),
            let body = socket.receive(ReaderMessage.length(header))
        else { return nil }
        return ReaderMessage(body: body)
    }

    /// False when the card leaves.
    private func answer(_ command: [UInt8], number: Int) -> Bool {
        switch misbehaviour {
        case .silent(number, let milliseconds):
            _ = socket.wait(milliseconds: milliseconds)
            return false
        case .leaves(number): return false
        case .leavesAfter(number):
            _ = say(handler(command))
            return false
        case .late(number, let milliseconds):
            return socket.wait(milliseconds: milliseconds) && say(handler(command))
        case .silent, .leaves, .leavesAfter, .late, nil: return say(handler(command))
        }
    }

    private func say(_ body: [UInt8]) -> Bool {
        ReaderMessage.framed(body).map(socket.send) ?? false
    }
}
