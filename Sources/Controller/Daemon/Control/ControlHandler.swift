import ControlProtocol
import Encoding
import Gate
import Service
import Storage
import Threads

/// Answers the lines of the control socket.
struct ControlHandler: Sendable {
    /// The gate that is asked.
    let controller: Controller
    /// Who may ask for what.
    let roles: ControlRoles
    /// How often refusals are told.
    private let pace = RefusalPace()

    init(controller: Controller, roles: ControlRoles) {
        self.controller = controller
        self.roles = roles
    }

    /// What is done with one line of a client.
    func handle(_ peer: ControlPeer, _ line: [UInt8]) -> ControlReply {
        let request: ControlRequest
        do {
            request = try ControlRequest(parsing: line)
        } catch {
            return .lines([ControlResponse(id: 0, result: .failure(error)).line])
        }
        let refusal = refusal(of: request.operation, to: peer)
        note(request.operation, by: peer, refusal)
        if let refusal { return answer(request, .failure(refusal)) }
        return perform(request, for: peer)
    }

    /// Who asks what: numbers, no names. Evidence names a person, so that each record that is taken away is told.
    private func note(_ operation: ControlOperation, by peer: ControlPeer, _ refusal: ControlError?) {
        let log = controller.parts.logs.log("control")
        let record = if case .proveJournal(let sequence) = operation { " of record \(sequence)" } else { "" }
        let request = "\(operation.name)\(record), asked by user \(peer.user), process \(peer.process)"
        if let refusal { return logRefusal("\(refusal.code): \(request)", of: peer, log) }
        if operation.isLook {
            log.debug(request)
        } else {
            log.notice(request)
        }
    }

    private func logRefusal(_ refusal: String, of peer: ControlPeer, _ log: Log) {
        switch pace.next(of: peer.user, at: MonotonicTime.milliseconds) {
        case .logged: log.warning(refusal)
        case .loggedLast: log.warning("\(refusal); what else this user is refused within a minute is not told")
        case .quiet: log.debug(refusal)
        }
    }

    private func refusal(of operation: ControlOperation, to peer: ControlPeer) -> ControlError? {
        let least = operation.command.leastRole
        return roles.role(of: peer) >= least ? nil : .notPermitted(toLessThan: least)
    }

    private func perform(_ request: ControlRequest, for peer: ControlPeer) -> ControlReply {
        switch request.operation {
        case .status:
            return answer(request, .success(controller.status))
        case .events:
            return .subscribe([ControlResponse(id: request.id, result: .success(["subscribed": true])).line])
        case .journal(let query):
            return .work { [answerLine(request) { () throws(ControlError) in try controller.journalPage(query) }] }
        case .verifyJournal(let stretch):
            return .work { [answerLine(request) { () throws(ControlError) in try controller.verifyJournal(stretch) }] }
        case .proveJournal(let sequence):
            return .work { [answerLine(request) { () throws(ControlError) in try controller.proveRecord(sequence) }] }
        case .testLane(let test):
            return .lines([answerLine(request) { () throws(ControlError) in
                try controller.walkTest(test, requester: Requester(peer))
            }])
        case .lane(let name):
            return .lines([answerLine(request) { () throws(ControlError) in try controller.laneReport(name) }])
        case .actOnLane(let action):
            return act(action, request, for: peer)
        case .passback(let query):
            return .work { [answerLine(request) { () throws(ControlError) in controller.passbackReport(query) }] }
        case .explain(let query):
            return .work { [answerLine(request) { () throws(ControlError) in try controller.explain(query) }] }
        case .resetPassback(let query):
            return .work { [answerLine(request) { () throws(ControlError) in controller.resetPassback(query, by: Requester(peer)) }] }
        case .simulate(let simulation):
            return .work { [recorded(answerLine(request) { () throws(ControlError) in try controller.simulate(simulation, by: Requester(peer)) })] }
        case .checkpointJournal:
            return .work { [answerLine(request) { () throws(ControlError) in try controller.checkpointJournal() }] }
        case .collectJournal(let receipt):
            return .work { [answerLine(request) { () throws(ControlError) in try controller.collectJournal(receipt, by: peer) }] }
        case .auditKey:
            return .work { [answerLine(request) { () throws(ControlError) in try controller.auditKey() }] }
        case .synchronise:
            return .lines([answerLine(request) { () throws(ControlError) in try controller.synchronise() }])
        case .followSync(let run):
            return .lines([answerLine(request) { () throws(ControlError) in try controller.syncReport(ofRun: run) }])
        case .importFolder: return importFolder(request, for: peer)
        case .followImport(let number):
            return .lines([answerLine(request) { () throws(ControlError) in try controller.importReport(number) }])
        case .reload:
            return .work { [recorded(answerLine(request) { () throws(ControlError) in try controller.reload(by: Requester(peer)) })] }
        case .confirmClock:
            let isRoot = roles.role(of: peer) >= .root
            return .work { [recorded(answerLine(request) { () throws(ControlError) in try controller.confirmClock(by: Requester(peer), isRoot: isRoot) })] }
        case .resetClockFloor:
            return .work { [recorded(answerLine(request) { () throws(ControlError) in try controller.resetClockFloor(user: peer.user) })] }
        }
    }

    private func importFolder(_ request: ControlRequest, for peer: ControlPeer) -> ControlReply {
        .workOnFile { connection in
            [recorded(answerLine(request) { () throws(ControlError) in
                guard let connection else { throw ControlError(code: "file-missing", message: "No connection came with the request.") }
                return try controller.importFolder(descriptor: connection.descriptor, by: Requester(peer))
            })]
        }
    }

    /// A lane that is to be locked down does not wait until somebody's import is done; the answer does, and for the disk.
    private func act(_ action: LaneRequest, _ request: ControlRequest, for peer: ControlPeer) -> ControlReply {
        if case .toggle = action.action {
            return .work { [recorded(answerLine(request) { () throws(ControlError) in
                try controller.laneReport(action.lane, asked: controller.act(action, by: Requester(peer)))
            })] }
        }
        let ticket: JournalTicket
        do throws(ControlError) {
            ticket = try controller.act(action, by: Requester(peer))
        } catch {
            return .work { [recorded(answerLine(request) { () throws(ControlError) in throw error })] }
        }
        return .work { [answerLine(request) { () throws(ControlError) in try controller.laneReport(action.lane, asked: ticket) }] }
    }

    /// An answer to somebody who wanted to change something, granted or refused, is not ahead of its records: whoever has it and
    /// pulls the plug finds them in the journal.
    private func recorded(_ line: [UInt8]) -> [UInt8] {
        controller.parts.journal.settle(milliseconds: JournalTicket.patience)
        return line
    }

    private func answer(_ request: ControlRequest, _ result: Result<JSON, ControlError>) -> ControlReply {
        .lines([ControlResponse(id: request.id, result: result).line])
    }

    private func answerLine(_ request: ControlRequest, _ body: () throws(ControlError) -> JSON) -> [UInt8] {
        do throws(ControlError) {
            return ControlResponse(id: request.id, result: .success(try body())).line
        } catch {
            return ControlResponse(id: request.id, result: .failure(error)).line
        }
    }
}

extension Requester {
    /// Who is at the other end of a control connection.
    init(_ peer: ControlPeer) { self.init(user: peer.user, process: peer.process) }
}
