import SiteData
import Threads

/// People whole, read on a thread of its own ahead of the one that writes their rows. The thread gives way to taps as much as the one that
/// made it. What it reads from must stay open until this is gone.
final class PeopleAhead {
    /// So often what came with one piece of the file is on its way; it is in memory until then.
    static let mostUnderWay = 4

    /// The header of the state.
    let header: BundleHeader

    private let channel = Channel<Result<[BundleEntry], ImportError>>(most: PeopleAhead.mostUnderWay)
    private let people: Monitor<MergedPeople>
    private let worker: Worker?

    init(_ people: sending MergedPeople) {
        header = people.header
        let people = Monitor(people), channel = channel
        self.people = people
        worker = try? Worker(name: "people-read") {
            defer { channel.close() }
            while let several = Self.several(of: people), channel.send(several), case .success = several {}
        }
    }

    deinit {
        channel.abandon()
        worker?.join()
    }

    /// What puts the next records of the state; nil at its end. Not called again after an error.
    func next() throws(ImportError) -> [BundleEntry]? {
        // Where the system granted no thread, they are read here.
        try (worker == nil ? Self.several(of: people) : channel.next())?.get()
    }

    /// Nil at the end.
    private static func several(of people: Monitor<MergedPeople>) -> Result<[BundleEntry], ImportError>? {
        people.withLock { people -> Result<[BundleEntry], ImportError>? in
            do throws(ImportError) {
                guard let entries = try people.several() else { return nil }
                return .success(entries)
            } catch {
                return .failure(error)
            }
        }
    }
}
