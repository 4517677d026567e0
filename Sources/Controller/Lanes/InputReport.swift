import Encoding
import Gate
import Lines

/// What `status` says about the contacts of a lane, those of the whole gate among them.
package struct InputReport: Sendable {
    let reports: [InputBoard.Report]
    let bank: any LineBank

    package init(reports: [InputBoard.Report], bank: any LineBank) {
        self.reports = reports
        self.bank = bank
    }

    /// Every input with its state: `{"input": "fire", "state": "inactive"}`.
    package func states(of lane: String) -> [JSON] {
        concerning(lane).map { ["input": .string(StoredWord.shown($0.kind.rawValue)), "state": .string($0.state?.word ?? "unknown")] }
    }

    /// The lines that cannot be read, and why.
    package func faults(of lane: String) -> [JSON] {
        let faults = bank.faults
        return concerning(lane).flatMap(\.lines).compactMap { line in
            faults[line].map { ["code": .string($0.code), "message": .string("Line \(line): \($0.message)")] }
        }
    }

    /// The contacts that seem to be stuck, and those that chatter.
    package func warnings(of lane: String) -> [JSON] {
        concerning(lane).flatMap { report in
            (report.isStuck ? [LaneWarning.inputActive(report.kind)] : []) + (report.isChattering ? [.inputChatters(report.kind)] : [])
                + (report.fireLoopFault.map { [.fireLoop($0)] } ?? [])
        }.map { ["code": .string($0.code), "message": .string($0.message)] }
    }

    private func concerning(_ lane: String) -> [InputBoard.Report] { reports.filter { $0.concerns(lane) } }
}
