import ControlProtocol
import Encoding
import SiteData

/// Where a repository is, and how patient its visitors are.
struct RepositoryAddress {
    let metadata: String
    let targets: String?
    /// Seconds over which the rate is counted.
    let patience: Int64

    /// Bytes a second: slower is an attack.
    private static let minimumRate: Int64 = 1024
    private static let leastMilliseconds: Int64 = 60_000

    /// That of a repository in a folder, of which the path counts alone.
    static func folder(patience: Int64) -> RepositoryAddress {
        RepositoryAddress(metadata: "http://folder/metadata", targets: "http://folder/targets", patience: patience)
    }

    /// What is asked of the fetcher.
    func job(for request: FetchRequest) throws(FrameError) -> FetchJob {
        let base = switch request.place {
        case .metadata: metadata
        case .targets: targets ?? metadata
        }
        let time = max(Self.leastMilliseconds, request.limit / Self.minimumRate * 1000)
        return try FetchJob(url: (base.hasSuffix("/") ? base : base + "/") + request.name, mostBytes: request.limit,
                            milliseconds: min(time, FetchJob.mostMilliseconds), minimumRate: Self.minimumRate, windowMilliseconds: patience * 1000)
    }
}
