/// What we have called, and are to be answered.
enum PendingCall: Hashable, Sendable {
    /// Something that only matters when it fails, and then to everything.
    case listen
    /// Who has the name of bluetoothd.
    case owner
    /// The objects of the bluetoothd with that unique name.
    case objects(owner: String)
    /// How bluetoothd is started.
    case command
    /// A step of a radio, by the radio's place among the bindings.
    case step(radio: Int, RadioRequest)
    /// The end of a link.
    case drop(RadioLink)
    /// A sign of life of bluetoothd.
    case life

    /// True for what bluetoothd is to answer.
    var isForService: Bool {
        switch self {
        case .objects, .step, .drop, .life: true
        case .listen, .owner, .command: false
        }
    }
}
