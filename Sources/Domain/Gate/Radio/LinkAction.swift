/// What a radio's links want done. The caller does it in this order, after letting go of the register.
public enum LinkAction: Hashable, Sendable {
    /// Measure the strength of the link from now on, at the pace of `RadioRules.samplingInterval`.
    case measure(LinkIdentifier)
    /// Do not measure it any more.
    case stopMeasuring(LinkIdentifier)
    /// The message that waits is the first of a conversation: answer it. The phone is near these lanes, in the order of the
    /// configuration.
    case admit(LinkIdentifier, lanes: [String])
    /// The message that waits belongs to the conversation of that link: answer it.
    case proceed(LinkIdentifier)
    /// Every message of that link that waits is refused, that of this input among them.
    case refuse(LinkIdentifier, LinkRefusal)
    /// Disconnect the link.
    case drop(LinkIdentifier, LinkRefusal)
    /// It was told to go, and is there still: disconnect it once more. Nothing else follows, and it is no further hang-up.
    case dropAgain(LinkIdentifier)

    var isRefusal: Bool {
        switch self {
        case .refuse: true
        case .measure, .stopMeasuring, .admit, .proceed, .drop, .dropAgain: false
        }
    }
}
