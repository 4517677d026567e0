import Files
import Glibc
import Threads

/// Where the clock's memory lies: two copies in the state folder.
struct ClockStore: Sendable {
    let paths: [String]

    init(directory: String) {
        paths = ["\(directory)/clock", "\(directory)/clock.second"]
    }

    /// What both copies know, and a sentence for each one that could not be used.
    func load() -> (memory: ClockMemory?, complaints: [String]) {
        var memory: ClockMemory?
        var complaints: [String] = []
        for path in paths {
            do throws(SystemError) {
                let bytes = try SmallFile.read(path, limit: 4096)
                if let read = ClockFile.parse(bytes) {
                    memory = memory?.merged(with: read) ?? read
                } else {
                    complaints.append("\(path) is damaged; it will be written anew.")
                }
            } catch {
                if error.number != ENOENT { complaints.append(error.message) }
            }
        }
        return (memory, complaints)
    }

    func save(_ memory: ClockMemory) throws(SystemError) {
        for path in paths { try SmallFile.replace(path, with: ClockFile.text(memory)) }
    }
}
