/// Whose word the time of this boot goes by, the weakest first.
public enum ClockBasis: String, CaseIterable, Sendable {
    /// The installer's (`ClockPolicy.Source.installer`): what the machine says at its start.
    case installer
    /// The installer's, once it has been put right: from then on a jump is one.
    case corrected
    /// The first reading of this boot that the kernel called synchronised. Whoever answers for a time server can have said it.
    case kernel
    /// A signed date agrees with it.
    case signed
    /// Root or an operator said that it is right.
    case person

    /// Whether somebody besides the machine's own clock has confirmed it since the boot.
    public var isConfirmed: Bool {
        switch self {
        case .installer, .corrected, .kernel: false
        case .signed, .person: true
        }
    }
}
