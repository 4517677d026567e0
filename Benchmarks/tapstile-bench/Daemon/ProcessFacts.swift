import Files
import Service

/// What /proc says about a process.
struct ProcessFacts {
    let identifier: Int32

    /// Resident memory in MiB (VmRSS).
    var resident: Double { mebibytes("VmRSS") }

    /// The most resident memory there ever was, in MiB (VmHWM).
    var peak: Double { mebibytes("VmHWM") }

    /// Open descriptors, the one that this look needs included where the process looks at itself.
    var descriptors: Int { Folder.names(in: "/proc/\(identifier)/fd").count }

    /// Threads.
    var threads: Int { Folder.names(in: "/proc/\(identifier)/task").count }

    private func mebibytes(_ name: String) -> Double {
        (field(name, of: "status").flatMap { Double($0) } ?? 0) / 1024
    }

    /// The first word after the name.
    private func field(_ name: String, of file: String) -> Substring? {
        let line = text(file).split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return line?.split { $0 == " " || $0 == "\t" }.dropFirst().first
    }

    /// Bytes that it has made the kernel write to disks so far, in whole pages of the page cache.
    var written: Int64 { field("write_bytes", of: "io").flatMap { Int64($0) } ?? 0 }

    /// How often it has called the kernel to write something so far, to whatever it was.
    var writes: Int64 { field("syscw", of: "io").flatMap { Int64($0) } ?? 0 }

    /// Nanoseconds that all its threads have computed so far.
    var processorTime: Int64 { processorTime { _ in true } }

    /// The same of its threads of that name.
    func processorTime(ofThreads name: String) -> Int64 {
        processorTime { text("task/\($0)/comm") == "\(name)\n" }
    }

    private func processorTime(_ counts: (String) -> Bool) -> Int64 {
        Folder.names(in: "/proc/\(identifier)/task").filter(counts).reduce(0) { sum, thread in
            sum + (text("task/\(thread)/schedstat").split(separator: " ").first.flatMap { Int64($0) } ?? 0)
        }
    }

    /// The processes that it has started and not yet buried.
    var children: [Int32] {
        text("task/\(identifier)/children").split { $0 == " " || $0 == "\n" }.compactMap { Int32($0) }
    }

    /// How often its threads of that name have gone to sleep, and been woken, so far.
    func sleeps(ofThreads name: String) -> Int64 {
        Folder.names(in: "/proc/\(identifier)/task").filter { text("task/\($0)/comm") == "\(name)\n" }.reduce(0) { sum, thread in
            sum + (field("voluntary_ctxt_switches", of: "task/\(thread)/status").flatMap { Int64($0) } ?? 0)
        }
    }

    private func text(_ file: String) -> String {
        (try? SmallFile.read("/proc/\(identifier)/\(file)")).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
