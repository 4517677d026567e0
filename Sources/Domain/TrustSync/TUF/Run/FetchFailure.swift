/// Why a file could not be fetched, in the words of whoever tried.
public enum FetchFailure: Hashable, Sendable {
    /// The repository answers and says that it has no such file (404, or 403 as object stores say it).
    case missing
    /// It sent more bytes than were asked for.
    case endless
    /// It sent them too slowly.
    case slow
    /// It could not be reached, or broke off; a sentence.
    case unavailable(String)

    /// What it means where one cannot go on without the file. Of targets, which no `Update` fetches, their fetchers say the same.
    public func reason(for request: FetchRequest) -> UpdateRefusal.Reason {
        switch self {
        case .missing: .missingFile(request.name)
        case .endless: .endlessData(limit: request.limit)
        case .slow: .slowRetrieval
        case .unavailable(let sentence): .unavailable(sentence)
        }
    }
}
