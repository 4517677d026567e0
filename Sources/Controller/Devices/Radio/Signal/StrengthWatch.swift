/// Whether a radio can know how strong it hears phones. Pure.
///
/// A sample that nobody knows says little: the link may have ended, and nobody has told yet. So it counts once the link was found
/// again after it, and only several links in a row say something about the radio. One known sample says that all is well.
struct StrengthWatch {
    /// So many links in a row of which nothing was known are the radio's fault.
    static let linksInARow = 3
    /// A link of which fewer samples were taken says nothing.
    static let fewestSamples = 3

    private struct Measured {
        /// Unknown samples after which the link was still there.
        var unknown = 0
        /// Why the last sample is unknown, after which it was not found yet.
        var doubtful: StrengthFault?
        var last = StrengthFault.unanswered
        var isKnown = false
    }

    /// What is wrong; nil while nothing is known to be.
    private(set) var fault: StrengthFault?
    private var adapter: String?
    private var measured: [RadioLink: Measured] = [:]
    private var blind: Set<RadioLink> = []

    /// The radio uses that adapter now; what was known of another one counts no longer, nor what was known before it had none.
    /// - Returns: true when it is another one than before.
    mutating func uses(_ adapter: String?) -> Bool {
        guard adapter != self.adapter else { return false }
        self = StrengthWatch()
        self.adapter = adapter
        return true
    }

    /// A link that is measured was found, and asked for.
    mutating func found(_ link: RadioLink) {
        guard let doubtful = measured[link]?.doubtful else { return }
        measured[link]?.last = doubtful
        measured[link]?.unknown += 1
        measured[link]?.doubtful = nil
    }

    /// A sample of a link is unknown.
    mutating func missed(_ link: RadioLink, _ fault: StrengthFault) {
        measured[link, default: Measured()].doubtful = fault
        if fault.isFinal { self.fault = self.fault ?? fault }
    }

    /// The link has ended: what was missed last was missed for that.
    mutating func hasEnded(_ link: RadioLink) { measured[link]?.doubtful = nil }

    /// A sample of a link is known.
    mutating func knows(_ link: RadioLink) {
        measured[link, default: Measured()].isKnown = true
        (fault, blind) = (nil, [])
    }

    /// Nothing can be asked of the adapter.
    mutating func cannotAsk(_ fault: StrengthFault) { self.fault = self.fault ?? fault }

    /// The link is measured no more.
    mutating func ends(_ link: RadioLink) {
        guard let measured = measured.removeValue(forKey: link), !measured.isKnown, measured.unknown >= Self.fewestSamples,
              fault == nil else { return }
        blind.insert(link)
        if blind.count >= Self.linksInARow { fault = measured.last }
    }
}

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
