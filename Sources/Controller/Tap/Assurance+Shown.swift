import Credentials

extension Assurance {
    /// How records and events name it; nil for what a record that says nothing means.
    var shown: String? {
        switch self {
        case .proven: nil
        case .low: rawValue
        }
    }
}
