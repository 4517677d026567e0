/// Whose word the time of this boot goes by, the weakest first.
public enum ClockBasis: String, CaseIterable, Sendable {
    /// The installer's (`ClockPolicy.Source.installer`): whatever the machine says, until somebody confirms it.
    case installer
    /// The first reading of this boot that the kernel called synchronised. Whoever answers for a time server can have said it.
    case kernel
    /// A signed date agrees with it.
    case signed
    /// Root or an operator said that it is right.
    case person

    /// Whether somebody besides the machine's own clock has confirmed it since the boot.
    public var isConfirmed: Bool {
        switch self {
        case .installer, .kernel: false
        case .signed, .person: true
        }
    }
}
