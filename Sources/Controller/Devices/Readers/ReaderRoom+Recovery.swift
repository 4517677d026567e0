import Threads

extension ReaderRoom {
    /// Switches the port of a reader that is stuck, if it is time: its own thread is with the driver. What is unplugged ends a driver's call.
    func switchPort() {
        guard let index = monitor.withLock({ $0.takePort(at: MonotonicTime.milliseconds) }) else { return }
        noteRecovery(names[index], .reauthorise)
        reauthorise(names[index])
        monitor.change { $0.slots[index].ladder.done(.reauthorise, at: MonotonicTime.milliseconds) }
    }

    func reauthorise(_ reader: ReaderName) {
        guard let port = ports[reader] else { return }
        do throws(LinkFault) {
            try Loop.outside(.recovery) { () throws(LinkFault) in try port.reauthorise() }
        } catch {
            note(reader, error.code, error.message)
        }
    }

    func noteRecovery(_ reader: ReaderName, _ rung: RecoveryRung) {
        note(reader, "reader-recovery", "To bring the reader back, \(rung.sentence).")
    }
}
