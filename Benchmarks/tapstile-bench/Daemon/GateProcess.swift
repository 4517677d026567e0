import Configuration
import Controller
import Readers
import Service
import Threads

/// A gate in a process of its own that serves the phone on its reader again and again: a real gate
/// would want it away for 300 ms in between. Everything else is what `tapstiled` does.
enum GateProcess {
    /// Serves until a signal ends it.
    static func run(configuration path: String, readerName: String) throws {
        let loaded = try ConfigurationFile.load(path: path)
        let logs = try LogOutput(LogSettings(loaded.configuration.log))
        let controller = try Controller(loaded, path: path, logs: logs)
        try controller.start(withReaders: false)
        let readers = PCSCReaders(
            bindings: [ReaderBinding(name: BenchSite.reader(0), match: .name(readerName))],
            onPresentation: { reader, link in
                _ = controller.present(link, at: reader)
                return .again(afterMilliseconds: 0)
            }, onChange: { _, _ in })
        try readers.start()
        Notify.ready(status: "serving")
        let stopping = Monitor(false)
        let signals = try SignalWatch { _ in stopping.change { $0 = true } }
        stopping.wait { $0 ? () : nil }
        signals.stop()
        readers.stop()
        controller.stop()
        logs.stop()
    }
}
