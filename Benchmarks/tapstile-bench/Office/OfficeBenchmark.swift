import Cryptography
import Encoding

/// What the back office does with many people: a list of 100,000 from a spreadsheet, the keys of everybody else, and what is published of it. The
/// program is the shipped one, its folder on the disk that is measured.
struct OfficeBenchmark {
    private var listed: Int { report.extent.of(100_000, short: 100) }

    let folder: String
    let programs: TestedPrograms
    /// How many keys there are in the end.
    let enrolled: Int
    let report: Report

    func run() throws {
        let list = min(listed, enrolled)
        report.note("office: \(enrolled) keys, \(list) of them from a spreadsheet")
        try Folder.make(folder)
        let keys = try StrangerKeys()
        try writeSpreadsheet(list, keys)
        try writeLines(enrolled - list, keys)
        try tool("init", ["--site", "bench"])
        try tool("publish", ["init", "--together", "--repo", "\(folder)/repo"])
        try measure("import-list-of-people", bar: 10, "import", ["\(folder)/people.csv"])
        try measure("import-same-list-again", "import", ["\(folder)/people.csv"])
        if enrolled > list { try measure("enrol-everybody-else", "enrol", ["--from", "\(folder)/people.lines"]) }
        try measure("publish-first", memoryBar: 128, "publish", [])
        try tool("suspend", ["--subject", "person 1"])
        try measure("publish-one-change", memoryBar: 128, "publish", [])
        try measure("publish-new-epoch", memoryBar: 128, "new-epoch", [])
        try measure("publish-timestamp", "publish", ["--timestamp"])
    }

    private func writeSpreadsheet(_ count: Int, _ keys: StrangerKeys) throws {
        let file = try OutputFile("\(folder)/people.csv")
        try file.write(Array("subject,key,groups,expires\r\n".utf8))
        for number in 0..<count {
            try file.write(Array("person \(number),\(Self.point(try keys.next())),staff;floor \(number % 50),2031-01-31\r\n".utf8))
        }
        try file.flush()
    }

    private func writeLines(_ count: Int, _ keys: StrangerKeys) throws {
        let file = try OutputFile("\(folder)/people.lines")
        for number in 0..<count {
            try file.write(Array("{\"subject\":\"guest \(number)\",\"key\":\"\(Self.point(try keys.next()))\",\"expires\":\"2031-01-31\"}\n".utf8))
        }
        try file.flush()
    }

    private static func point(_ key: PublicKey) -> String { "04\(Hex.encode(key.x))\(Hex.encode(key.y ?? []))" }

    private func measure(_ name: String, bar: Double? = nil, memoryBar: Double? = nil, _ command: String, _ arguments: [String]) throws(BenchError) {
        let start = Clock.now
        let child = try tool(command, arguments)
        report.add(name, Double(Clock.now - start) / 1e9, "s", bar: bar)
        report.add("\(name)-processor", child.processorSeconds, "s")
        report.add("\(name)-peak-memory", Double(child.peakKibibytes) / 1024, "MiB", bar: memoryBar)
    }

    /// - Returns: the process, which has ended.
    @discardableResult
    private func tool(_ command: String, _ arguments: [String]) throws(BenchError) -> ChildProcess {
        let child = try ChildProcess([programs.authority, command] + arguments + ["--dir", "\(folder)/authority"],
                                     environment: ["TAPSTILE_CLOCK_SOURCE": "installer"], output: "/dev/null")
        guard try child.wait() == 0 else { throw BenchError("tapstile-authority \(command) failed") }
        return child
    }
}
