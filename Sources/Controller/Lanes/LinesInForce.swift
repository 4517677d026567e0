import Configuration
import Encoding
import Files
import Lines
import Service
import Threads

/// The output lines of the configuration in force, kept in the state folder.
///
/// A gate that is killed in the middle of a pulse leaves its relay to the chip, and some keep it
/// energised. Whoever cleans up then may find no readable configuration: somebody is editing it.
package struct LinesInForce: Equatable, Sendable {
    /// The file's name in the state folder.
    static let fileName = "lines.safe"
    /// Some thousand lines; a longer file is not ours.
    private static let longest = 1 << 20

    let requests: [LineRequest]

    package init(_ configuration: GateConfiguration) {
        requests = LineRequest.all(of: configuration).filter { $0.direction == .output }
    }

    /// What was kept in `directory`; nil when there is nothing, or nothing that can be used.
    package init?(keptIn directory: String) {
        guard let bytes = try? SmallFile.read("\(directory)/\(Self.fileName)", limit: Self.longest) else { return nil }
        self.init(parsing: bytes)
    }

    /// Writes the file unless it says the same already.
    package func keep(in directory: String) throws(SystemError) {
        guard LinesInForce(keptIn: directory) != self else { return }
        try SmallFile.replace("\(directory)/\(Self.fileName)", with: text, mode: 0o600)
    }

    /// Milliseconds that a chip may take to put a line at its safe level: whoever waits for the stop step waits for this.
    package static let patience: Int64 = 2000

    /// Requests every line at its safe level and lets go of it, each on a thread of its own: a chip that hangs
    /// keeps nobody else's line from its level. Answers the lines that could not be had within `patience`, and
    /// those that are active as soon as nobody drives them.
    package func deenergise(patience: Int64 = patience,
              opening open: @escaping @Sendable (LineRequest) -> any LineBank = Self.openWithoutLooking) -> Deenergised {
        let answers = Monitor<[Int: (fault: LineError?, isActive: Bool)]>([:])
        for (number, request) in requests.enumerated() {
            let ask: @Sendable () -> Void = {
                let bank = open(request)
                let fault = bank.faults[request.name]
                bank.release()
                let isActive = request.chip != OutputSettings.simulatedChip && !GPIOLineBank.active([request]).isEmpty
                answers.change { $0[number] = (fault, isActive) }
            }
            // Where the system grants no thread, one after the other must do.
            do { _ = try Worker(name: "rest", body: ask) } catch { ask() }
        }
        let end = MonotonicTime.nanoseconds(atMilliseconds: MonotonicTime.milliseconds + patience)
        _ = answers.wait(untilNanoseconds: end) { [count = requests.count] in $0.count == count ? () : nil }
        let answered = answers.withLock { $0 }
        var rest = Deenergised(failures: [:], active: [])
        for (number, request) in requests.enumerated() {
            guard let answer = answered[number] else {
                rest.failures[request.name] = .silent(chip: request.chip, milliseconds: patience)
                continue
            }
            rest.failures[request.name] = answer.fault
            if answer.isActive { rest.active.insert(request.name) }
        }
        return rest
    }

    /// How putting lines at their safe level went.
    package typealias Deenergised = (failures: [LineName: LineError], active: Set<LineName>)

    /// First of all safe: what was on the line before, the gate has looked at.
    private static let openWithoutLooking: @Sendable (LineRequest) -> any LineBank = { RoutedLineBank.open([$0], looking: false) }

    // The file: {"v":1,"lines":[{"name":…,"chip":…,"line":17 or "GPIO17","activeLow":false,"consumer":…},…]}

    package var text: [UInt8] {
        let lines = requests.map { request -> JSON in
            let place: JSON = switch request.line {
            case .offset(let number): .integer(Int64(number))
            case .named(let name): .string(name)
            }
            return ["name": .string(request.name), "chip": .string(request.chip), "line": place,
                    "activeLow": .bool(request.activeLow), "consumer": .string(request.consumer)]
        }
        return JSON.object(["v": 1, "lines": .array(lines)]).canonical
    }

    /// Nil for a file of another version, or one that is not whole.
    package init?(parsing bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes), json["v"]?.integer == 1, let lines = json["lines"]?.array else { return nil }
        var requests: [LineRequest] = []
        for line in lines {
            guard let name = line["name"]?.string, let chip = line["chip"]?.string, let place = Self.place(line["line"]),
                  let activeLow = line["activeLow"]?.bool, let consumer = line["consumer"]?.string else { return nil }
            requests.append(LineRequest(name: name, chip: chip, line: place, activeLow: activeLow, consumer: consumer))
        }
        self.requests = requests
    }

    private static func place(_ json: JSON?) -> LinePlace? {
        if let name = json?.string { return .named(name) }
        return json?.integer.flatMap(UInt32.init(exactly:)).map { .offset($0) }
    }
}

/// De-energises the relays of a gate that does not run: after it has ended in any way, and when it
/// cannot start because of its configuration (L6).
public struct LinesAtSafeLevel: Sendable {
    /// How many lines were asked for.
    public let count: Int
    /// The lines that could not be had, with the code and a sentence, in the order of their names.
    public let failures: [(line: String, code: String, message: String)]

    /// The lines that are active now that nobody drives them: wiring that is not safe by itself.
    public let unsafe: [(line: String, code: String, message: String)]

    /// Asks for every line that was in force last, by the file in the state folder; where there is no such
    /// file, for those of the configuration. A line that a running gate holds stays as it is.
    /// - Parameters:
    ///   - configuration: the path of the configuration, which may be unreadable.
    ///   - stateFolder: the state folder if the configuration does not say which.
    /// - Throws: `lines-unknown` when neither says what lines there are.
    public init(configuration path: String, stateFolder: String) throws(StartError) {
        let folder = ConfigurationFile.stateFolder(path: path) ?? stateFolder
        // The whole configuration is read only where it must be: every moment counts here.
        guard let lines = LinesInForce(keptIn: folder) ?? Self.configured(path) else {
            throw StartError(code: "lines-unknown",
                             message: "No lines to put at their safe level: there is no \(folder)/\(LinesInForce.fileName), and \(path) cannot be used.")
        }
        count = lines.requests.count
        let (failures, active) = lines.deenergise()
        self.failures = failures.sorted { $0.key < $1.key }.map { ($0.key, $0.value.code, $0.value.message) }
        unsafe = active.sorted().map { ($0, LaneWarning.levelUnsafe.code, LaneWarning.levelUnsafe.message) }
    }

    private static func configured(_ path: String) -> LinesInForce? {
        (try? ConfigurationFile.load(path: path, checkingFiles: false)).map { LinesInForce($0.configuration) }
    }
}
