import ControlProtocol
import Encoding
import Service
import Storage

/// Answers the lines of the control socket.
struct ControlHandler: Sendable {
    /// The gate that is asked.
    let controller: Controller
    /// The group whose members may change the gate; nil when there is no such group on this machine.
    let group: UInt32?

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
        if let refusal { return log.warning("\(refusal.code): \(request)") }
        switch operation.permission {
        case .everyone: log.debug(request)
        case .operators, .root: log.notice(request)
        }
    }

    private func refusal(of operation: ControlOperation, to peer: ControlPeer) -> ControlError? {
        switch operation.permission {
        case .everyone: nil
        case .operators: mayAct(peer) ? nil : .notPermitted
        case .root: peer.isRoot ? nil : .onlyRoot
        }
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
        case .reload:
            return .work { [answerLine(request) { () throws(ControlError) in try controller.reload() }] }
        case .resetClockFloor:
            return .work { [answerLine(request) { () throws(ControlError) in try controller.resetClockFloor(user: peer.user) }] }
        case .importPublication:
            return .workOnFile { file in
                [answerLine(request) { () throws(ControlError) in
                    guard let file else { throw ControlError(code: "file-missing", message: "No file came with the request.") }
                    return try controller.importPublication(file)
                }]
            }
        }
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

    /// Root, the daemon's own user, and the group's members.
    private func mayAct(_ peer: ControlPeer) -> Bool {
        peer.isRoot || peer.isOurself || group.map { peer.belongs(toGroup: $0) } ?? false
    }
}
