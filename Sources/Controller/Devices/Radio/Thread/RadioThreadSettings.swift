/// What the radios' thread works with.
struct RadioThreadSettings: Sendable {
    let bindings: [RadioBinding]
    let bus: Radios.Bus
    let client: any RadioClient
    let onNote: Radios.OnNote
    /// Where the kernel shows adapters.
    var adapterFolder = "/sys/class/bluetooth"
    var settlingMilliseconds: Int64 = 3_000
    var patience = RadioPatience()
    /// The ways to ask an adapter, the better one first.
    var ways: [any SignalWay] = [HCIWay(), ManagementWay()]
}
