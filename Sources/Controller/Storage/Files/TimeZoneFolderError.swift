import SiteRules

/// Why a time zone cannot be had.
public enum TimeZoneFolderError: Error, Hashable, Sendable {
    /// The system has no zone of that name, or no zones at all.
    case unknown(TimeZoneName, folder: String, isEmpty: Bool)
    /// Its file cannot be read, or makes no sense.
    case unreadable(TimeZoneName, path: String, why: String)

    /// A stable code.
    public var code: String {
        switch self {
        case .unknown: "time-zone-unknown"
        case .unreadable: "time-zone-unreadable"
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .unknown(_, let folder, true): "this machine has no time zones (\(folder)): sudo apt install tzdata"
        case .unknown(let name, let folder, false):
            "there is no time zone '\(name)' in \(folder): write a name such as Europe/Berlin, or sudo apt install tzdata if the name is right."
        case .unreadable(_, let path, let why): "\(path) cannot be used: \(why). sudo apt install --reinstall tzdata"
        }
    }
}
