import Radio
import Tap

extension Controller {
    /// Who serves the phones at the gate's radios, as `Radios` knows it. Benchmarks tell it, from one thread, what phones in their own
    /// process do.
    /// - Parameters:
    ///   - control: what the desks want done about links.
    ///   - onState: called when a radio comes to another state; no lane hears of it.
    package func radioClient(
        _ control: any LinkControl, onState: @escaping @Sendable (String, RadioState) -> Void = { _, _ in }
    ) -> any RadioClient {
        let stations = layout.withLock { $0.radios }
        let desks = RadioDesks(radios: Array(stations.keys), onState: onState, onFindings: { _ in })
        for (name, station) in stations { desks.place(desk(station, control), at: name) }
        return desks
    }
}
