import CPCSC
import Threads

/// The thread of one reader: waits for a card, holds the presentation, waits until the card may
/// be served again. No error ends it.
struct ReaderServer {
    let room: ReaderRoom
    let index: Int
    private var context: PCSCContext?
    /// What was noted about connecting since the last presentation, so that a reader held by another program is
    /// not noted twice a second.
    private var noted: Set<PCSCError> = []
    /// The number of the UID-only card that was served last, if nobody has been since.
    private var lastNumber: [UInt8]?
    /// What was noted about bringing the reader back since it last worked.
    private var steps: Set<RecoveryRung> = []

    /// Between two looks whether another program has let go of the reader.
    private static let sharingPause: Int64 = 500
    /// Between two attempts to get a context; pcscd's end is noticed by the watcher meanwhile.
    private static let contextPause: Int64 = 250
    /// Between two looks whether an empty reader can be used again.
    private static let probePause: Int64 = 1_000

    init(room: ReaderRoom, index: Int) {
        self.room = room
        self.index = index
    }

    mutating func run(_ loop: Loop) {
        while true {
            switch room.monitor.waitForStep(loop, { [index] in $0.step(ofSlot: index, at: MonotonicTime.milliseconds) }) {
            case .stop: return
            case .establishContext(let generation): establishContext(generation)
            case .serve(let pcscName, let isRerun): serve(pcscName, isRerun: isRerun)
            case .probe(let pcscName): probe(pcscName)
            case .inquire(let pcscName): inquire(pcscName)
            case .check(let pcscName): check(pcscName)
            case .recover(let rung, let pcscName): recover(rung, pcscName)
            }
        }
    }

    private mutating func establishContext(_ generation: UInt64) {
        context = nil
        do {
            context = try PCSCContext()
            changeSlot {
                $0.contextGeneration = generation
                $0.contextRefusal = nil
            }
        } catch {
            let now = MonotonicTime.milliseconds
            changeSlot {
                $0.contextNotBefore = now + Self.contextPause
                $0.contextRefusal.contextRefused(error, at: now)
            }
        }
        room.publish()
    }

    /// Connects to an empty reader: that there is no card is the good answer.
    private func probe(_ pcscName: String) {
        // The supervisor may be asleep, as in `serve`.
        room.monitor.change { _ in }
        do {
            // A phone has come just now: it is served as soon as the watcher has seen it.
            try context?.connectExclusively(pcscName).disconnect(.leave)
            changeSlot { $0.connectionRefusal = nil }
        } catch {
            remember(error)
        }
        changeSlot {
            $0.probeNotBefore = MonotonicTime.milliseconds + Self.probePause
            $0.turn(to: .idle)
        }
        room.publish()
    }

    /// Sets pcscd right about a reader that it calls empty.
    private func inquire(_ pcscName: String) {
        // The supervisor may be asleep, as in `serve`.
        room.monitor.change { _ in }
        do {
            try context?.startAnew(pcscName)
            try context?.connectExclusively(pcscName).disconnect(.leave)
            room.monitor.withLock { $0.found(inSlot: index, at: MonotonicTime.milliseconds) }
        } catch {
            if error.kind == .contextLost { changeSlot { $0.contextGeneration = nil } }
        }
        changeSlot { $0.turn(to: .idle) }
        room.publish()
    }

    /// Asks an idle reader for a sign of life. libccid looks into the slot for it; what it finds there is the watcher's to tell.
    private mutating func check(_ pcscName: String) {
        // The supervisor may be asleep, as in `serve`.
        room.monitor.change { _ in }
        let isAlive = hasSignOfLife(pcscName)
        room.monitor.change { $0.checked(slot: index, isAlive: isAlive, at: MonotonicTime.milliseconds) }
        if isAlive { steps = [] }
        room.publish()
    }

    private func hasSignOfLife(_ pcscName: String) -> Bool {
        do throws(PCSCError) {
            guard let reader = try context?.connectDirectly(pcscName) else { return true }
            _ = reader.attribute(CPCSC_ATTRIBUTE_PRESENCE)
            reader.disconnect(.leave)
            return true
        } catch {
            if error.kind == .contextLost { changeSlot { $0.contextGeneration = nil } }
            switch error.kind {
            // What is said of it elsewhere: another program has the reader, it was unplugged, pcscd has gone.
            case .sharing, .denied, .readerGone, .contextLost, .cancelled: return true
            case .cardGone, .timedOut, .other: return false
            }
        }
    }

    private mutating func recover(_ rung: RecoveryRung, _ pcscName: String) {
        // The supervisor may be asleep, as in `serve`.
        room.monitor.change { _ in }
        room.publish()
        if steps.insert(rung).inserted { room.noteRecovery(room.names[index], rung) }
        switch rung {
        case .abort: try? context?.startAnew(pcscName)
        case .reopen:
            context = nil
            changeSlot { $0.contextGeneration = nil }
        case .reauthorise: room.reauthorise(room.names[index])
        // No reader of pcscd has them.
        case .resetLine, .restart: break
        }
        room.monitor.change { $0.recovered(slot: index, rung, at: MonotonicTime.milliseconds) }
    }

    /// Keeps what stands in the way of every card; anything else says that this was not in the way.
    private func remember(_ error: PCSCError) {
        changeSlot { slot in
            switch error.kind {
            case .sharing, .denied: slot.connectionRefusal.connectionRefused(error, at: MonotonicTime.milliseconds)
            case .contextLost: slot.contextGeneration = nil
            case .cardGone, .readerGone, .cancelled, .timedOut, .other: slot.connectionRefusal = nil
            }
        }
    }

    private mutating func serve(_ pcscName: String, isRerun: Bool) {
        // The supervisor may be asleep for want of anything to watch.
        room.monitor.change { _ in }
        guard let context else { return end { $0.missed(at: $1) } }
        let card: PCSCCard
        do {
            // A phone that runs again starts anew, and what is not there any more is not taken for one.
            if isRerun { try context.startAnew(pcscName) }
            card = try context.connectExclusively(pcscName)
        } catch {
            return refused(error)
        }
        noted = []
        forgetRefusal()
        let disposition = present(card)
        turn(to: .disconnecting(since: MonotonicTime.milliseconds))
        // Not reset, however it goes on: it may have gone, and a phone that had its result keeps its screen.
        card.disconnect(.leave)
        end { $0.end(disposition, at: $1) }
    }

    /// Before the phone is asked: a lane whose reader is out of service grants nothing.
    private func forgetRefusal() {
        let wasRefused = room.monitor.withLock { state in
            defer { state.slots[index].connectionRefusal = nil }
            return state.slots[index].connectionRefusal != nil
        }
        if wasRefused { room.publish() }
    }

    private mutating func present(_ card: PCSCCard) -> PresentationDisposition {
        let mayBeTheSame = room.monitor.withLock { $0.slots[index].presence.mayBeTheSame }
        let link = PCSCLink(card: card, mayBeTheSame: mayBeTheSame) { [room, index] in ReaderServer.turn(room, index, to: $0) }
        let (isWelcome, seen) = room.monitor.withLock { state in
            state.slots[index].turn(to: .conversing(since: MonotonicTime.milliseconds))
            state.slots[index].link = link
            return (!state.isStopping, state.slots[index].card)
        }
        defer {
            link.invalidate()
            changeSlot { $0.link = nil }
        }
        guard isWelcome else { return .done }
        // A phone that was seen to be one is asked nothing before its conversation.
        guard seen != .isoDEP else { return converse(link) }
        do throws(LinkError) {
            guard let number = try UIDOnlyCardReading.number(of: card, over: link) else { return converse(link) }
            if mayBeTheSame, number == lastNumber { return .done }
            lastNumber = number
            return room.onUIDOnlyCard(room.names[index], number)
        } catch {
            room.note(room.names[index], error.code, "The card's number was not read. \(error.message)")
            return .interrupted
        }
    }

    private mutating func converse(_ link: PCSCLink) -> PresentationDisposition {
        lastNumber = nil
        return room.onPresentation(room.names[index], link)
    }

    /// The card could not be connected to: when is it tried again?
    private mutating func refused(_ error: PCSCError) {
        remember(error)
        room.publish()
        if noted.insert(error).inserted {
            room.note(room.names[index], error.code, "The card was not served. \(error.message)")
        }
        switch error.kind {
        case .sharing, .denied: end { $0.refused(at: $1, pause: Self.sharingPause) }
        case .other where error.isProtocolMismatch: end { $0.end(.done, at: $1) }
        case .contextLost, .cardGone, .readerGone, .cancelled, .timedOut, .other: end { $0.missed(at: $1) }
        }
    }

    /// The thread is free again; `update` tells the rule how the attempt ended.
    private func end(_ update: (inout PresenceRule, Int64) -> Void) {
        let now = MonotonicTime.milliseconds
        let wasStuck = room.monitor.withLock { state in
            let wasStuck = state.slots[index].isStuck
            state.slots[index].turn(to: .idle)
            update(&state.slots[index].presence, now)
            return wasStuck
        }
        if wasStuck { room.publish() }
    }

    private func turn(to activity: ReaderActivity) {
        Self.turn(room, index, to: activity)
    }

    private static func turn(_ room: ReaderRoom, _ index: Int, to activity: ReaderActivity) {
        let wasStuck = room.monitor.withLock { state in
            let wasStuck = state.slots[index].isStuck
            state.slots[index].turn(to: activity)
            return wasStuck
        }
        if wasStuck { room.publish() }
    }

    private func changeSlot(_ body: (inout ReaderSlot) -> Void) {
        room.monitor.withLock { body(&$0.slots[index]) }
    }
}
