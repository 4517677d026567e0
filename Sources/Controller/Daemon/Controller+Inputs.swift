import Encoding
import Gate
import Lanes
import Lines
import Service
import Threads

extension Controller {
    /// From now on lanes learn what contacts do. A lane begins once all of its own have been read.
    func startInputs() throws(StartError) {
        do {
            try inputs.start({ [weak self] in self?.deliver($0) }, whenRead: { [weak self] in self?.begin($0) })
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
    }

    /// On the thread of all inputs: nothing here waits for a line.
    private func deliver(_ delivery: InputBoard.Delivery) {
        let lanes = layout.withLock { $0.lanes }
        let concerned = delivery.lane.map { [lanes[$0]].compactMap(\.self) } ?? lanes.values.sorted { $0.name < $1.name }
        let unseen = inputs.reports.filter { $0.state == .faulty(.unseen) }
        for lane in concerned {
            lane.input(delivery.change, at: delivery.at)
            lane.setInputFault(unseen.contains { $0.concerns(lane.name) })
        }
        if delivery.isStuck { reportInputWarning(.inputActive(delivery.change.kind), delivery) }
        if delivery.change.kind == .fire, case .faulty(let fault) = delivery.change.state { reportInputWarning(.fireLoop(fault), delivery) }
        if delivery.beginsToChatter { reportInputWarning(.inputChatters(delivery.change.kind), delivery) }
    }

    private func begin(_ lane: String) {
        layout.withLock { $0.lanes[lane] }?.begin(at: Instant(milliseconds: MonotonicTime.milliseconds))
    }

    private func reportInputWarning(_ warning: LaneWarning, _ delivery: InputBoard.Delivery) {
        parts.logs.log("lines").warning("\(warning.code): \(delivery.lane.map { "lane \($0)" } ?? "every lane"): \(warning.message)")
        parts.recorder.record(.service, warning.code, lane: delivery.lane, detail: ["input": .text(delivery.change.kind.rawValue)])
    }
}
