import Files
import Glibc
import Service

/// Folders of the benchmark.
enum Folder {
    /// Makes a folder and those above it.
    static func make(_ path: String) throws(BenchError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/\(part)"
            guard mkdir(made, 0o700) == 0 || errno == EEXIST else { throw BenchError("cannot make the folder \(made)") }
        }
    }

    /// A fresh folder below `parent`.
    static func makeTemporary(in parent: String) throws(BenchError) -> String {
        var template = Array("\(parent)/tapstile-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw BenchError("cannot make a folder in \(parent)") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The names in a folder; none when it cannot be read.
    static func names(in path: String) -> [String] {
        guard let listing = opendir(path) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Removes a file, or a folder with everything in it.
    static func remove(_ path: String) {
        guard unlink(path) != 0 else { return }
        for name in names(in: path) { remove("\(path)/\(name)") }
        rmdir(path)
    }

    /// The size of a file; 0 when there is none.
    static func mebibytes(_ path: String) -> Double {
        var facts = stat()
        return stat(path, &facts) == 0 ? Double(facts.st_size) / 1_048_576 : 0
    }

    /// Whether it lies in memory only: there a journal costs nothing, and the numbers mean nothing.
    static func isInMemory(_ path: String) -> Bool {
        var facts = stat()
        guard stat(path, &facts) == 0, let mounts = try? SmallFile.read("/proc/self/mountinfo") else { return false }
        let device = "\(facts.st_dev >> 8 & 0xFFF):\(facts.st_dev & 0xFF)"
        let lines = String(decoding: mounts, as: UTF8.self).split(separator: "\n")
        return lines.contains { line in
            let fields = line.split(separator: " ")
            guard fields.count > 4, fields[2] == device, let dash = fields.firstIndex(of: "-") else { return false }
            return ["tmpfs", "ramfs"].contains(fields[dash + 1])
        }
    }
}
