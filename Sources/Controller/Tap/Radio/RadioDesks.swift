import ControlProtocol
import Encoding
import Gate
import Radio
import Service
import Threads

/// What every radio of the gate is told goes to its desk.
///
/// `@unchecked Sendable`: the desks are made before the radios' thread begins and touched by no other thread; what others ask for
/// lies behind a lock.
package final class RadioDesks: RadioClient, @unchecked Sendable {
    /// What a radio is at this moment, for `status`.
    package struct Standing: Sendable {
        package var state: RadioState?
        package var links = 0
    }

    private var desks: [String: RadioDesk] = [:]
    private let standings: Mutex<[String: Standing]>
    private let found = Mutex<[BluetoothFinding]>([])
    private let onState: @Sendable (String, RadioState) -> Void
    private let onFindings: @Sendable ([BluetoothFinding]) -> Void

    /// - Parameters:
    ///   - radios: their names.
    ///   - onState: called when a radio comes to another state.
    ///   - onFindings: called when something else is wrong with the settings of bluetoothd than before.
    package init(radios: [String], onState: @escaping @Sendable (String, RadioState) -> Void,
         onFindings: @escaping @Sendable ([BluetoothFinding]) -> Void) {
        standings = Mutex(Dictionary(radios.map { ($0, Standing()) }) { first, _ in first })
        self.onState = onState
        self.onFindings = onFindings
    }

    /// Before the radios start.
    package func place(_ desk: RadioDesk, at radio: String) { desks[radio] = desk }

    /// After the radios have stopped: the desks and what they use let go of each other.
    package func close() { desks = [:] }

    /// What a radio is at this moment; nil if there is none of that name.
    package func standing(of radio: String) -> Standing? { standings.withLock { $0[radio] } }

    /// What is wrong with the settings of bluetoothd.
    package var findings: [BluetoothFinding] { found.withLock { $0 } }

    // On the radios' thread ------------------------------------------------------------------------

    package func radio(_ name: String, is state: RadioState) {
        standings.withLock { $0[name]?.state = state }
        onState(name, state)
    }

    package func settings(_ findings: [BluetoothFinding]) {
        let isNews = found.withLock { found in
            defer { found = findings }
            return found != findings
        }
        if isNews { onFindings(findings) }
    }

    package func opened(_ link: RadioLink) { at(link) { $0.opened(link) } }

    package func closed(_ link: RadioLink) { at(link) { $0.closed(link) } }

    package func wrote(_ value: [UInt8], on link: RadioLink, answer: WriteAnswer) {
        guard desks[link.radio] != nil else { return answer.refuse(LinkRefusal.gone.attError) }
        let began = MonotonicTime.milliseconds
        at(link) { $0.wrote(value, on: link, answer: answer) }
        // A decision waits for the journal: other phones have not become slower or farther by that.
        let taken = MonotonicTime.milliseconds - began
        if taken > Self.patience {
            for desk in desks.values { desk.excuse(taken) }
        }
    }

    /// What a write may take in milliseconds before the other links are given it back.
    private static let patience: Int64 = 5

    package func read(on link: RadioLink) -> ReadResult { desks[link.radio]?.read(on: link) ?? .refused(LinkRefusal.gone.attError) }

    package func strength(_ dBm: Int8?, of link: RadioLink) { at(link) { $0.strength(dBm, of: link) } }

    package func nextDue() -> Int64? { desks.values.compactMap(\.nextDue).min() }

    package func isDue(at now: Int64) {
        for (name, desk) in desks {
            desk.advance()
            count(name, desk)
        }
    }

    private func at(_ link: RadioLink, _ body: (RadioDesk) -> Void) {
        guard let desk = desks[link.radio] else { return }
        body(desk)
        count(link.radio, desk)
    }

    private func count(_ name: String, _ desk: RadioDesk) {
        standings.withLock { $0[name]?.links = desk.linkCount }
    }
}
