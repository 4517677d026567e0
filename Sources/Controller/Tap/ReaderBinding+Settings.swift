import Configuration
import Readers

extension GateConfiguration {
    /// The USB ports of pcscd's readers that may be switched off and on, by the reader's name.
    package func ports(_ shut: ShutPorts) -> [ReaderName: any ReaderPort] {
        var ports: [ReaderName: any ReaderPort] = [:]
        for reader in readers where reader.reset.usb {
            guard case .pcsc(.port(let port), _) = reader.device else { continue }
            ports[reader.name] = USBPort(port: port, shut: shut)
        }
        return ports
    }
}

extension ReaderBinding {
    /// The binding that an installer wrote down (T3); nil for a reader that pcscd has nothing to do with.
    package init?(_ settings: ReaderSettings) {
        guard case .pcsc(let matchSettings, let nameContains) = settings.device else { return nil }
        let match: ReaderMatch = switch matchSettings {
        case .name(let name): .name(name)
        case .serial(let serial): .serial(serial)
        case .port(let port): .port(port)
        }
        self.init(name: settings.name, match: match, nameContains: nameContains, stuckAfterMilliseconds: Int64(settings.stuckAfterMilliseconds))
    }
}
