import Files
import Glibc
import Threads

/// What follows from what is around: for the radios, the links, and who is served.
extension RadioThread {
    /// So often an adapter that is off is looked at.
    private static let offMilliseconds: Int64 = 1_000

    /// Holds everything against what is there now.
    func look() {
        let choices = AdapterChoice.all(settings.bindings, among: objects.known)
        let now = now
        for (index, choice) in choices.enumerated() {
            let around = RadioSurroundings(service: standing, choice: choice, block: block(choice))
            perform(machines[index].look(at: around, now: now), radio: index)
        }
        signals.keep(Set(objects.known.compactMap(\.index)))
        lookAtStrength(choices)
        compareLinks(choices)
        publish()
        let isAnyOff = machines.contains { $0.waitsForPower }
        lookAgainAt = isAnyOff ? now + Self.offMilliseconds : nil
    }

    private func block(_ choice: AdapterChoice) -> RadioBlock? {
        guard case .found(let adapter) = choice, !adapter.isPowered, let index = adapter.index else { return nil }
        return RadioBlock.of(adapter: index, below: settings.adapterFolder)
    }

    /// Holds the links against who is connected to the adapters that radios have got.
    func compareLinks(_ choices: [AdapterChoice]) {
        var radios: [String: String] = [:]
        for (index, choice) in choices.enumerated() {
            if case .found(let adapter) = choice { radios[adapter.path] = settings.bindings[index].name }
        }
        let change = links.compare(objects, radios: radios)
        for entry in change.closed { close(entry.link) }
        for entry in change.opened { client.opened(entry.link) }
        for (index, binding) in settings.bindings.enumerated()
        where (change.closed + change.opened).contains(where: { $0.link.radio == binding.name }) {
            perform(machines[index].connections(links.count(of: binding.name), now: now), radio: index)
        }
    }

    private func close(_ link: RadioLink) {
        reads.end(link)
        stopMeasuring(link)
        notDropped.remove(link)
        // The client knows what to say to a phone that has gone; nobody is left without an answer.
        client.closed(link)
        for answer in writes.remove(link) { answer.refuse(0x80) }
    }

    /// Tells what is different from what was told last.
    func publish() {
        for index in machines.indices {
            let state = state(of: index)
            if state.isSameNews(as: reported[index]) { continue }
            reported[index] = state
            client.radio(settings.bindings[index].name, is: state)
        }
    }

    private func state(of radio: Int) -> RadioState {
        guard machines[radio].state == .ready, let fault = watches[radio].fault else { return machines[radio].state }
        return .strengthUnknown(reason: fault.reason)
    }

    // Requests ----------------------------------------------------------------------------------

    func perform(_ requests: [RadioRequest], radio: Int) {
        for request in requests { perform(request, radio) }
    }

    private func perform(_ request: RadioRequest, _ radio: Int) {
        let what = PendingCall.step(radio: radio, request)
        let shown = shown[radio]
        guard let owner else { return }
        switch request.step {
        case .forbidPairing:
            call(what, owner, request.adapter, BusName.properties, "Set",
                 [.string(BluezName.adapter), .string("Pairable"), .variant(.bool(false))])
        case .registerApplication:
            call(what, owner, request.adapter, BluezName.applications, "RegisterApplication", [.path(shown.root), .properties([])])
        case .unregisterAdvertisement:
            call(what, owner, request.adapter, BluezName.advertisements, "UnregisterAdvertisement", [.path(shown.advertisement)])
        case .registerAdvertisement:
            call(what, owner, request.adapter, BluezName.advertisements, "RegisterAdvertisement",
                 [.path(shown.advertisement), .properties([])])
        }
    }

    // Settings of bluetoothd --------------------------------------------------------------------

    private static let systemd = "org.freedesktop.systemd1"
    private static let unit = "/org/freedesktop/systemd1/unit/bluetooth_2eservice"
    private static let longestSettings = 1 << 16
    /// No systemd on this bus, as in a container; one that has gone; or one that knows no such unit.
    private static let nobodyThere = BusName.nobodyErrors.union([
        "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.systemd1.NoSuchUnit"
    ])

    /// Asks systemd how it starts bluetoothd.
    func askForSettings() {
        call(.command, Self.systemd, Self.unit, BusName.properties, "Get", [.string(Self.systemd + ".Service"), .string("ExecStart")])
    }

    /// Reads what bluetoothd reads. Where there is no systemd, or it does not start bluetoothd, nothing is said.
    func examineSettings(_ execStart: BusValue?, _ failure: BusFailure?) {
        if let failure {
            return client.settings(Self.nobodyThere.contains(failure.name) ? [] : [BluetoothSettings.unread(command: failure.name)])
        }
        guard let arguments = ServiceCommand.arguments(execStart) else { return client.settings([]) }
        let file = ServiceCommand.settingsFile(arguments)
        do throws(SystemError) {
            let bytes = try SmallFile.read(file, limit: Self.longestSettings)
            client.settings(BluetoothSettings.findings(String(decoding: bytes, as: UTF8.self), file: file))
        } catch {
            // bluetoothd does without a file that is not there; what we may not read it may.
            let isThere = error.number != ENOENT
            client.settings(isThere ? [BluetoothSettings.unread(file: file, reason: SystemError.words(for: error.number))]
                : BluetoothSettings.findings("", file: file))
        }
    }
}
