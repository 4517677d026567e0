/// Why the strength of a link is not known.
enum StrengthFault: Error, Hashable, Sendable {
    /// The kernel opens no way to ask the adapter, and will not; what it said.
    case noWay(String)
    /// The adapter could not be asked this time; what the kernel said.
    case failed(String)
    /// The adapter says that it does not know (127).
    case unknown
    /// The adapter, or the kernel in its place, answers with that error (Core Specification 5.3, vol. 1, part F; doc/mgmt-api.txt of BlueZ).
    case refused(UInt8)
    /// There was no answer.
    case unanswered

    /// True where no sample can be had of any link.
    var isFinal: Bool { if case .noWay = self { true } else { false } }

    /// Of two ways that failed one after the other: final when both are.
    func joined(by next: StrengthFault) -> StrengthFault { isFinal ? (next.isFinal ? self : next) : self }

    /// What was found, and what fixes it, for people.
    var reason: String { "\(finding) \(remedy)" }

    private var finding: String {
        switch self {
        case .noWay(let said), .failed(let said): said
        case .unknown: "the adapter says that it does not know."
        case .refused(let error): "the adapter refuses to tell (error 0x\(String(error, radix: 16)))."
        case .unanswered: "the adapter does not answer."
        }
    }

    private var remedy: String {
        switch self {
        case .noWay:
            "`systemctl cat tapstiled` must allow AF_BLUETOOTH in RestrictAddressFamilies; a container needs the host's network."
        case .failed: "If that stays so, `systemctl restart tapstiled`, another adapter or a newer kernel fixes it."
        case .unknown, .refused, .unanswered: "Another adapter or a newer kernel fixes it."
        }
    }
}
