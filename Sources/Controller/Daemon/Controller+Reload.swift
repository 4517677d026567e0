import Configuration
import ControlProtocol
import Cryptography
import Encoding
import Gate
import Readers
import Service
import Tap
import Threads

extension Controller {
    /// Reads the configuration again. On any error, and where a change needs a restart, everything
    /// stays as it is. A running pulse is untouched either way.
    /// - Parameter requester: who asked over the control socket; nil for a signal.
    public func reload(by requester: Requester? = nil) throws(ControlError) -> JSON {
        // A signal and a request may ask at the same moment: one after the other.
        Loop.outside(Self.otherReload) { reloading.wait(Self.begins) }
        defer { reloading.change { $0 = false } }
        return try reloadAlone(by: requester)
    }

    private static let otherReload = OutsideCall(
        "another reload", .fault(afterMilliseconds: 60_000), remedy: "`systemctl restart tapstiled` takes the configuration too.")

    private static func begins(_ isReloading: inout Bool) -> Void? {
        guard !isReloading else { return nil }
        isReloading = true
        return ()
    }

    private func reloadAlone(by requester: Requester?) throws(ControlError) -> JSON {
        do throws(ControlError) {
            let next = try readAgain()
            let siteFile = try readSiteFile(of: next.configuration)
            let problems = try adopt(next)
            parts.recorder.record(.configuration, "reloaded", detail: Self.detail(of: requester).merging(Self.detail(of: next)) { own, _ in own })
            if let siteFile { _ = try use(siteFile.site, of: siteFile.own) }
            parts.events.emit(.configuration, ["result": "reloaded"])
            return ["result": "reloaded", 
                    "warnings": .array((next.warnings + (siteFile?.site.warnings ?? [])).map { .string($0.description) }
                        + problems.map { .string("\($0.code): \($0.purpose.rawValue): \($0.message)") })]
        } catch {
            parts.logs.log("configuration").error(error)
            parts.recorder.record(.configuration, "refused", reason: error.code, detail: Self.detail(of: requester))
            parts.events.emit(.configuration, ["result": "refused", "code": .string(error.code)])
            throw error
        }
    }

    /// Who asked, for a record.
    static func detail(of requester: Requester?) -> [String: CBOR] {
        requester?.detail ?? [:]
    }

    /// Which configuration it is, for a record: two with the same values have the same hash, wherever they stand in the file.
    static func detail(of loaded: LoadedConfiguration) -> [String: CBOR] {
        ["configuration": .bytes(SHA256.hash(Array(loaded.effectiveText.utf8)))]
    }

    private func readAgain() throws(ControlError) -> LoadedConfiguration {
        do {
            return try ConfigurationFile.load(path: path)
        } catch {
            throw ControlError(code: error.code, message: error.message, details: error.issues.map(\.description))
        }
    }

    /// Answers the keys that are still not there.
    private func adopt(_ read: LoadedConfiguration) throws(ControlError) -> [KeyProblem] {
        let current = layout.withLock { $0 }
        let fixed = loaded.fixed.changes(to: read.fixed)
        guard fixed.isEmpty else {
            throw ControlError(code: "restart-needed", message: "A restart is needed to change \(fixed.joined(separator: "; ")).")
        }
        let next = read.configuration
        let replacement: GateLayout
        let chips: [ChipReaderBinding]
        do {
            replacement = try GateLayout(next, parts: parts, previous: current)
            chips = try self.chips(of: next, unlike: current.configuration)
        } catch {
            throw ControlError(code: error.code, message: error.message)
        }
        layout.withLock { $0 = replacement }
        replacement.adoptRules()
        parts.state.passback.adopt(replacement.zones)
        keepLines(next)
        parts.logs.apply(LogSettings(next.log))
        parts.clock.apply(ClockPolicy(next.clock))
        followZones(next)
        if let next = next.sync { sync.withLock { $0 }?.adopt(period: next.period, from: next.url) }
        parts.tokens.adopt(capacity: next.trust.tokenCache)
        for timekeeper in replacement.timekeepers.values { timekeeper.laneChanged() }
        logKeys(replacement.identity)
        logKeysInForce()
        followSiteData()
        adoptReaders(chips)
        return replacement.identity.problems
    }
}
