import Credentials
import Gate
import Lanes
import PhoneProtocol
import Threads

/// One phone's conversation over a radio, from its first message to its outcome. It belongs to the radios' thread.
///
/// The deadline is kept twice: the lane's timekeeper closes the attempt, and `LinkRegister` hangs up by then.
final class LinkTap {
    private let lanes: [TapStation]
    /// What each of them has told in EAD_2 about a second factor.
    private let wantsSecondFactor: [Bool]
    private var gate: BluetoothGateConversation
    /// The case, once a lane is taken.
    private var tap: TapTransaction?
    /// Whether it came to its end: what it came to can be read.
    private(set) var isOver = false

    /// - Parameters:
    ///   - lanes: those that are offered, the preferred one first; at least one.
    ///   - wantsSecondFactor: for each of them.
    init(lanes: [TapStation], wantsSecondFactor: [Bool], gate: consuming BluetoothGateConversation) {
        self.lanes = lanes
        self.wantsSecondFactor = wantsSecondFactor
        self.gate = gate
    }

    /// Takes a message of the phone, whose last byte came at `arrived` (monotonic microseconds). When it returns, the relay
    /// has moved if it will, and the answer can be read.
    func write(_ value: [UInt8], arrived: Int64) {
        var action = gate.write(value)
        while true {
            switch action {
            case .accept:
                return
            case .acceptFinal(let offer, let transcript):
                begin(at: offer)
                if tap?.beginRecord(transcript) == false { close() }
                return
            case .identify(let claim):
                tap?.timing.lastByte = arrived
                guard let next = tap?.identify(claim, in: &gate) else { return close() }
                action = next
            case .finish(let end):
                return finish(end)
            }
        }
    }

    /// What the phone reads; nil if nothing is ready.
    func read() -> [UInt8]? { gate.read() }

    /// The link is gone, or will be: what was not over comes to no proof.
    func cut(_ reason: Reason) {
        if isOver {
            // What came to no proof was told when it ended.
            if let end = gate.end, end.reason == nil { tap?.finish(end) }
        } else {
            // A phone that went after an error, before a lane was taken, leaves its trace all the same.
            if gate.end != nil { begin(at: 0) }
            tap?.endUnproven(gate.end?.reason ?? reason)
            close()
        }
        tap = nil
        // Nobody waits now.
        lanes.first?.ephemerals.refill()
    }

    /// The lane is taken: from here on the deadline runs and people see that a phone is being read.
    private func begin(at offer: Int) {
        guard tap == nil, lanes.indices.contains(offer) else { return }
        let station = lanes[offer]
        let now = MonotonicTime.milliseconds
        let attempt = Attempt(reader: station.reader, carrier: .ble, began: now, deadline: now + station.deadline) { attempt in
            station.concludeUnproven(.timeout, of: attempt)
        }
        let begun = TapTransaction(station: station, attempt: attempt, wantsSecondFactor: wantsSecondFactor[offer])
        begun.begin()
        tap = consume begun
    }

    private func finish(_ end: ConversationEnd) {
        // A phone that never came to message_2 has taken no lane; it is told of at the one that it was offered.
        begin(at: 0)
        switch end {
        case .stopped: tap?.finish(end)
        // Whether the phone reads it is known when it goes.
        case .outcomeTold, .outcomeNotTold: break
        }
        close()
    }

    private func close() {
        isOver = true
        tap?.close()
    }
}

extension LinkTap {
    /// A conversation at the lanes that are offered; nil where the gate cannot prove itself at any of them.
    convenience init?(_ offered: [TapStation]) {
        guard let time = offered.first?.clock.now() else { return nil }
        // All lanes have the gate's own keys; one that offers other methods may lack its key.
        let equipped = offered.filter { $0.isEquipped(at: time) }
        guard let first = equipped.first ?? offered.first, let opening = first.opening(at: time) else { return nil }
        let offers = equipped.map { $0.offer(at: opening.time) }
        self.init(lanes: equipped, wantsSecondFactor: offers.map(\.context.wantsSecondFactor),
                  gate: BluetoothGateConversation(offers: offers, keys: opening.keys, ephemeral: opening.ephemeral, spare: opening.spare))
    }
}
