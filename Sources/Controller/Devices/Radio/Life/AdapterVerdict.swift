/// Whether a radio can be put on the air with what is around it.
enum AdapterVerdict: Hashable, Sendable {
    /// It cannot, for that reason.
    case hindered(RadioState)
    /// It cannot, but an adapter that has just come, or a bluetoothd that has just started, looks like that too.
    case unready(RadioState)
    /// With the adapter of that path.
    case fit(adapter: String)

    /// So long may bluetoothd take to tell its adapters.
    static let silentAfterMilliseconds: Int64 = 6_000

    init(_ around: RadioSurroundings, now: Int64) {
        switch around.service {
        case .noBus(let reason): self = .hindered(.busDown(reason: reason))
        case .joining: self = .hindered(.starting)
        case .down: self = .hindered(.serviceDown)
        case .asked(let since, let refusal):
            let silence = now - since
            self = .hindered(silence < Self.silentAfterMilliseconds ? Self.asked(refusal) : .serviceSilent(milliseconds: silence))
        case .silent(let since): self = .hindered(.serviceSilent(milliseconds: now - since))
        case .refused(let failure, _): self = .hindered(Self.asked(failure))
        case .up: self = Self.of(around.choice, around.block)
        }
    }

    /// Asked again, a bluetoothd that has refused is no better than before.
    private static func asked(_ refusal: BusFailure?) -> RadioState {
        refusal.map { .refused(error: $0.name, text: $0.text) } ?? .starting
    }

    private static func of(_ choice: AdapterChoice, _ block: RadioBlock?) -> AdapterVerdict {
        switch choice {
        case .absent(let reason): .unready(.absent(reason: reason))
        case .ambiguous(let addresses): .hindered(.ambiguous(addresses: addresses))
        case .found(let adapter): of(adapter, block)
        }
    }

    private static func of(_ adapter: BluezAdapter, _ block: RadioBlock?) -> AdapterVerdict {
        let address = adapter.address ?? adapter.path
        if !adapter.isPowered, let block { return .hindered(.blocked(block)) }
        if let roles = adapter.roles, !roles.contains("peripheral") { return .hindered(.noPeripheralRole(address: address)) }
        if !adapter.isPowered {
            return adapter.powerState == "off-blocked" ? .hindered(.blocked(.soft)) : .unready(.off(address: address))
        }
        guard adapter.acceptsApplications, adapter.acceptsAdvertisements else {
            return .unready(.noPeripheralRole(address: address))
        }
        return .fit(adapter: adapter.path)
    }
}

/// What a radio finds around it.
struct RadioSurroundings: Hashable, Sendable {
    var service: ServiceStanding
    var choice: AdapterChoice
    /// What the kernel says of the adapter; looked up only while it is off.
    var block: RadioBlock?
}
