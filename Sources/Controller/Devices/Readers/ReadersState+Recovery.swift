import Threads

/// Signs of life of readers, and what is done where there are none (O5).
///
/// pcscd asks a reader with an interrupt endpoint for nothing, and one that hangs is "empty" for ever. So a reader that nobody uses is
/// asked once a second. A call into PC/SC cannot be cancelled: that one lasts too long is seen by the supervisor, and whether it is
/// the reader that hangs or pcscd by whether pcscd has answered the watcher meanwhile.
extension ReadersState {
    /// Between two looks whether a port may be switched, where it may not yet.
    static let portPause: Int64 = 250

    // The reader's thread -----------------------------------------------------------------------

    /// What that slot's thread does while its reader is being brought back; nil while it works.
    mutating func recover(_ index: Int, _ pcscName: String, at now: Int64) -> WaitStep<ReaderSlot.Step>? {
        switch slots[index].ladder.step(at: now) {
        case .run(let rung):
            slots[index].turn(to: .connecting(since: now))
            return .proceed(.recover(rung, pcscName: pcscName))
        case .wait(let time): return slots[index].ladder.climb == nil ? nil : check(index, pcscName, at: now, or: time)
        }
    }

    /// Asks the reader for a sign of life when it is time; else waits, at most until that other time.
    mutating func check(_ index: Int, _ pcscName: String, at now: Int64, or other: Int64?) -> WaitStep<ReaderSlot.Step> {
        let time = slots[index].checkNotBefore
        guard now >= time else { return .wait(until: min(time, other ?? time)) }
        slots[index].turn(to: .checking(since: now))
        return .proceed(.check(pcscName: pcscName))
    }

    /// The reader has given a sign of life, or pcscd has said that it cannot.
    mutating func checked(slot index: Int, isAlive: Bool, at now: Int64) {
        // One that took too long may have been the driver, which gave up without saying so.
        let wasSilent = slots[index].isSilent
        slots[index].turn(to: .idle)
        slots[index].checkNotBefore = now + ReaderSlot.checkPause
        if wasSilent { return }
        if isAlive { slots[index].ladder.healthy(at: now) } else { slots[index].ladder.fault(.chip, at: now) }
    }

    /// A step has been taken; the next sign of life shows whether it has helped.
    mutating func recovered(slot index: Int, _ rung: RecoveryRung, at now: Int64) {
        slots[index].turn(to: .idle)
        slots[index].ladder.done(rung, at: now)
        slots[index].checkNotBefore = now
    }

    // The supervisor ----------------------------------------------------------------------------

    /// A port that is to be switched off and on while its reader's thread is with the driver; the supervisor does it.
    mutating func nextPort(at now: Int64) -> Int? {
        guard let index = slots.indices.first(where: { isPortDue($0, at: now) }), slots[index].ladder.startsOutOfTurn(.reauthorise) else { return nil }
        slots[index].portNotBefore = now + slots[index].binding.stuckAfterMilliseconds
        slots[index].checkNotBefore = now
        return index
    }

    mutating func becomesSilent(_ index: Int, at now: Int64) -> Bool {
        guard case .checking(let since) = slots[index].activity, !slots[index].isSilent, now - since >= ReaderSlot.checkMilliseconds,
              hasAnswered(since: since) else { return false }
        slots[index].isSilent = true
        slots[index].ladder.fault(.chip, at: now)
        return true
    }

    mutating func becomesStuck(_ index: Int, at now: Int64) -> Bool {
        let slot = slots[index]
        guard let since = slot.activity.waitingForDriverSince, !slot.isStuck, now - since >= slot.binding.stuckAfterMilliseconds else { return false }
        if case .checking = slot.activity, !slot.isSilent { return false }
        slots[index].isStuck = true
        return true
    }

    func isPortDue(_ index: Int, at now: Int64) -> Bool {
        let slot = slots[index]
        guard slot.hasPort, slot.isStuck, now >= slot.portNotBefore, let since = slot.activity.waitingForDriverSince else { return false }
        return hasAnswered(since: since)
    }
}
