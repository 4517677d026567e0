/// What a radio finds around it.
struct RadioSurroundings: Hashable, Sendable {
    var service: ServiceStanding
    var choice: AdapterChoice
    /// What the kernel says of the adapter; looked up only while it is off.
    var block: RadioBlock?
}
