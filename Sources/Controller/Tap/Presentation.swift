import Credentials
import Gate
import Lanes
import PhoneProtocol
import Readers
import Threads

/// One phone in one reader's field, from SELECT to OUTCOME. This is the tap's path: read it from
/// `run` downwards, then `TapTransaction`.
struct Presentation: ~Copyable {
    private let link: any Link
    private var gate: NFCGateConversation
    private var tap: TapTransaction

    init(station: TapStation, link: any Link, gate: consuming NFCGateConversation, wantsSecondFactor: Bool) {
        self.link = link
        self.gate = gate
        let began = MonotonicTime.milliseconds
        let attempt = Attempt(reader: station.reader, carrier: .nfc, began: began, deadline: began + station.deadline) { attempt in
            link.invalidate()
            station.concludeUnproven(.timeout, of: attempt)
        }
        tap = TapTransaction(station: station, attempt: attempt, wantsSecondFactor: wantsSecondFactor, mayBeTheSame: link.mayBeTheSame)
    }

    /// Holds the conversation. Returns what shall happen to the phone while it stays in the field.
    mutating func run() -> PresentationDisposition {
        link.close(atMonotonicMilliseconds: tap.attempt.deadline)
        tap.begin()
        converse()
        tap.close()
        return tap.isTheSame ? .done : PresentationDisposition(after: tap.end)
    }

    private mutating func converse() {
        var action = gate.start()
        while true {
            switch action {
            case .send(let command):
                guard let next = exchange(command) else { return }
                action = next
            case .sendFinal(let command, let transcript):
                guard tap.beginRecord(transcript), let next = exchange(command) else { return }
                action = next
            case .identify(let claim):
                action = tap.identify(claim, in: &gate)
            case .finish(let end):
                return tap.finish(end)
            }
        }
    }

    /// One command and its response; nil when the link broke.
    private mutating func exchange(_ command: [UInt8]) -> NFCGateConversation.Action? {
        do {
            let response = try link.transmit(command)
            tap.timing.lastByte = MonotonicTime.microseconds
            return gate.receive(response)
        } catch {
            tap.station.log.info("\(error.code): reader \(tap.station.reader): \(error.message)")
            tap.endUnproven(Reason(error))
            return nil
        }
    }
}
