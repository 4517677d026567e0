import Configuration
import ControlProtocol
import Encoding
import Uplink

extension FetchPermission {
    /// What the `[sync]` of a configuration allows. It counts only where nobody but the machine's owner can have written it: a gate that could
    /// would list what it likes.
    init(configuration path: String) {
        do throws(FetchFault) {
            self = .listed(try Self.policy(path))
        } catch {
            self = .unusable(error)
        }
    }

    private static func policy(_ path: String) throws(FetchFault) -> FetchPolicy {
        if let finding = ConfigurationFile.whoElseMayChange(path: path, gateMay: false) { throw FetchFault(.unconfigured, finding) }
        let configuration: GateConfiguration
        do throws(InvalidConfiguration) {
            configuration = try ConfigurationFile.load(path: path, checkingFiles: false).configuration
        } catch {
            throw FetchFault(.unconfigured, "sudo tapstile check-config \(path): \(error.message)")
        }
        guard let sync = configuration.sync else { throw FetchFault(.unconfigured, "there is no sync.url in \(path)") }
        return try policy(sync)
    }

    private static func policy(_ sync: SyncSettings) throws(FetchFault) -> FetchPolicy {
        let own = [sync.url, sync.targetsURL].compactMap { $0 }
        let listed = (own + sync.moreURLs).compactMap(WebAddress.init)
        let setup: FetchSetup
        do throws(FrameError) {
            setup = try FetchSetup(proxy: sync.proxy, noProxy: sync.noProxy, authorities: sync.authorities, certificate: sync.certificate, key: sync.key,
                                   agent: "tapstile")
        } catch {
            throw FetchFault(.unconfigured, error.message)
        }
        return FetchPolicy(listed: listed, known: own.compactMap(WebAddress.init), local: Set(sync.localAddresses.compactMap(NetworkAddress.init)), setup: setup)
    }
}
