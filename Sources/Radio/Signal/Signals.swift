import Glibc
import Threads

/// The ways to ask adapters for the strength of links, opened when first needed. For one thread.
final class Signals {
    private struct Open {
        let port: any SignalPort
        /// Which of the ways it is.
        let way: Int
    }

    private let ways: [any SignalWay]
    private let waiting: RadioWaiting
    private let onNote: (RadioNote) -> Void
    private var open: [UInt16: Open] = [:]
    /// What was said already: once for each reason.
    private var said: Set<SystemError> = []

    /// - Parameter ways: the better one first.
    init(ways: [any SignalWay], waiting: RadioWaiting, onNote: @escaping (RadioNote) -> Void) {
        self.ways = ways
        self.waiting = waiting
        self.onNote = onNote
    }

    /// Asks for one sample. False when nobody can be asked: it is unknown.
    func ask(_ address: DeviceAddress, adapter: UInt16) -> Bool {
        var way = open[adapter]?.way ?? 0
        var failure: SystemError?
        while way < ways.count {
            do throws(SystemError) {
                try port(way, adapter).ask(address)
                return true
            } catch {
                failure = failure ?? error
                // The link has just ended; there is nothing wrong with the way.
                if [ENOENT, ENOTCONN].contains(error.number), open[adapter] != nil { return false }
                close(adapter)
                // Without Bluetooth in the kernel there is no second way.
                way = error.number == EAFNOSUPPORT ? ways.count : way + 1
            }
        }
        if let failure { say(failure) }
        return false
    }

    /// The answers that have come on that descriptor, each with its adapter.
    func take(_ descriptor: Int32) -> [(adapter: UInt16, SignalAnswer)] {
        guard let (adapter, open) = open.first(where: { $0.value.port.descriptor == descriptor }) else { return [] }
        do throws(SystemError) {
            return try open.port.take().map { (adapter, $0) }
        } catch {
            say(error)
            close(adapter)
            return []
        }
    }

    /// Where answers come.
    var descriptors: [Int32] { open.values.map(\.port.descriptor) }

    func close() { keep([]) }

    /// Closes the ways to all other adapters: they have gone.
    func keep(_ adapters: Set<UInt16>) {
        for adapter in open.keys where !adapters.contains(adapter) { close(adapter) }
    }

    private func port(_ way: Int, _ adapter: UInt16) throws(SystemError) -> any SignalPort {
        if let open = open[adapter] { return open.port }
        let port = try ways[way].open(adapter)
        try waiting.add(port.descriptor, RadioWaiting.readable)
        open[adapter] = Open(port: port, way: way)
        return port
    }

    private func close(_ adapter: UInt16) {
        guard let open = open.removeValue(forKey: adapter) else { return }
        waiting.remove(open.port.descriptor)
    }

    private func say(_ error: SystemError) {
        guard said.insert(error).inserted else { return }
        onNote(RadioNote(code: "radio-strength-unknown",
                         message: "The strength of links cannot be measured, so that no phone counts as near: \(error.message)"))
    }
}
