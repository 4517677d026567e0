import Glibc
import ReaderProtocol
import Threads

/// The thread of one PN532: talks to its program, holds the presentations. No fault ends it.
///
/// `@unchecked Sendable`: it is used on that thread alone; the link, which is given away, uses it there only.
final class ChipReaderServer: @unchecked Sendable {
    private let reader: ChipReader
    private var machine: ChipReaderMachine
    private var connection: ChipConnection?

    init(_ reader: ChipReader) {
        self.reader = reader
        machine = ChipReaderMachine(reader.binding.setup, RecoveryMeans(reader.binding), counts: reader.standing.recovery)
    }

    private var now: Int64 { MonotonicTime.milliseconds }

    func run(_ loop: Loop) {
        perform(machine.begin())
        while !reader.isStopping {
            receiveReports()
            let actions = machine.advance(to: now)
            // Before a presentation is held: a lane whose reader is out of service grants nothing.
            reader.publish(machine.state, machine.ladder.counts)
            perform(actions)
            if actions.isEmpty { wait(loop) }
        }
        // The end of the connection is the program's.
        connection = nil
    }

    private func wait(_ loop: Loop) {
        reader.bell.wait(connection?.descriptor, milliseconds: loop.patience(atMost: milliseconds(until: machine.next)))
        loop.comesRound()
    }

    /// From now; -1 for ever.
    private func milliseconds(until time: Int64?) -> Int32 {
        time.map { Int32(clamping: max(0, $0 - now)) } ?? -1
    }

    /// Takes all that has come. A program that never stops talking is stopped for it.
    private func receiveReports() {
        while let connection {
            do throws(ChipConnection.End) {
                guard let reports = try connection.receive() else { return }
                for report in reports { perform(machine.handle(report, at: now)) }
            } catch {
                perform(machine.disconnected(ChipFault(error), at: now))
            }
        }
    }

    // What is to be done ------------------------------------------------------------------------

    private func perform(_ actions: [ChipReaderAction]) {
        for action in actions {
            switch action {
            case .connect: connect()
            case .disconnect: connection = nil
            case .send(let order): send(order)
            case .resetLine: bringBack(.resetLine, pullResetLine)
            case .reauthorise: bringBack(.reauthorise, reauthorisePort)
            case .serve(let card): serve(card)
            case .note(let note): reader.note(note)
            }
        }
    }

    private func connect() {
        do throws(SystemError) {
            connection = try ChipConnection(path: reader.binding.socket)
            perform(machine.connected(at: now))
        } catch {
            perform(machine.disconnected(.programAbsent(SystemError.words(for: error.number)), at: now))
        }
    }

    private func send(_ order: ReaderOrder) {
        guard let connection else { return }
        do throws(SystemError) {
            try connection.send(order)
        } catch {
            perform(machine.disconnected(ChipFault(sending: error), at: now))
        }
    }

    private func bringBack(_ rung: RecoveryRung, _ step: () throws(LinkFault) -> Void) {
        var failure: LinkFault?
        do throws(LinkFault) {
            try Loop.outside(.recovery, step)
        } catch {
            failure = error
        }
        perform(machine.finished(rung, failure: failure, at: now))
    }

    private func pullResetLine() throws(LinkFault) {
        if let line = reader.binding.resetLine { try line.pull() }
    }

    private func reauthorisePort() throws(LinkFault) {
        if let port = reader.binding.port { try port.reauthorise() }
    }

    // Presentations -----------------------------------------------------------------------------

    private func serve(_ card: ReportedCard) {
        let disposition = switch card.kind {
        case .isoDEP: reader.present(ChipLink(self, bell: reader.bell, mayBeTheSame: machine.mayBeTheSame))
        case .plain: reader.present(card: card.uid)
        }
        perform(machine.ended(disposition, at: now))
    }

    /// One command of the presentation that runs, on this thread.
    func exchange(_ command: [UInt8], for link: ChipLink) throws(LinkError) -> [UInt8] {
        receiveReports()
        let order = try machine.asks(command, at: now)
        reader.turn(to: .transmitting(since: now))
        defer { reader.turn(to: .conversing(since: now)) }
        perform([.send(order)])
        while true {
            if let result = machine.removeResult() { return try result.get() }
            guard link.isOpen(at: now) else {
                machine.abandons()
                throw .timedOut
            }
            let until = [link.deadline, machine.next].compactMap(\.self).min()
            Loop.outside(.chip) { reader.bell.wait(connection?.descriptor, milliseconds: milliseconds(until: until)) }
            receiveReports()
            perform(machine.look(at: now))
        }
    }
}

extension ChipFault {
    fileprivate init(_ end: ChipConnection.End) {
        switch end {
        case .closed: self = .programDied
        case .refused(let what): self = .programLied(what)
        }
    }

    /// A program that does not read has no room for more.
    fileprivate init(sending error: SystemError) {
        self = error.number == EAGAIN ? .programSilent : .programDied
    }
}

/// What `ChipReaderMachine` wants done.
enum ChipReaderAction: Hashable {
    /// Connect to the program; it begins anew.
    case connect
    /// End the connection, and with it the program.
    case disconnect
    case send(ReaderOrder)
    /// Pull the chip's reset line.
    case resetLine
    /// Shut the USB port and open it.
    case reauthorise
    /// Hold a presentation. Comes from `advance` alone, and last.
    case serve(ReportedCard)
    case note(ReaderNote)
}
