import CGPIOD

/// One open GPIO chip. Not for several threads at once.
struct GPIOChip: ~Copyable {
    private let chip: OpaquePointer
    /// The kernel's name, "gpiochip0": one chip has it at a time.
    let name: String
    /// The driver's label; several chips of one make share it.
    let label: String
    /// How many lines the chip has; they are numbered from 0.
    let lineCount: UInt32

    /// Opens `path`.
    /// - Throws: `.noChip` under the name `wanted` when nothing is there, `.notAChip`, `.noPermission`.
    init(path: String, wanted: String) throws(LineError) {
        var opened: OpaquePointer?
        let result = cgpiod_chip_open(path, &opened)
        guard result == 0, let opened else {
            throw LineError(opening: path, wanted: wanted, errno: -result)
        }
        var count: UInt32 = 0
        guard let name = kernelText({ cgpiod_chip_name(opened, $0, $1) }),
              let label = kernelText({ cgpiod_chip_label(opened, $0, $1) }),
              cgpiod_chip_line_count(opened, &count) == 0
        else {
            cgpiod_chip_close(opened)
            throw .noChip(chip: wanted)
        }
        chip = opened
        self.name = name
        self.label = label
        lineCount = count
    }

    deinit {
        cgpiod_chip_close(chip)
    }

    /// The name of a line, empty when it has none; nil when the chip does not answer.
    func lineName(_ offset: UInt32) -> String? {
        kernelText { cgpiod_line_name(chip, offset, $0, $1) }
    }

    /// Who holds a line, empty when that is not known; nil when the chip is gone. Touches no level.
    func consumer(_ offset: UInt32) -> String? {
        kernelText { cgpiod_line_consumer(chip, offset, $0, $1) }
    }

    /// Takes a line as an output at its inactive level. It is valid as long as this chip is open.
    /// The failure is a positive errno.
    func requestOutput(_ offset: UInt32, for request: LineRequest) -> (line: OpaquePointer?, errno: Int32) {
        var line: OpaquePointer?
        let result = cgpiod_line_take_output(chip, offset, request.activeLow, request.consumer, &line)
        return (result == 0 ? line : nil, -result)
    }

    /// Takes a line as an input whose edges are kept from then on. The failure is a positive errno.
    func requestInput(_ offset: UInt32, for request: LineRequest) -> (input: UnsafeMutablePointer<cgpiod_input>?, errno: Int32) {
        var input: UnsafeMutablePointer<cgpiod_input>?
        let result = cgpiod_input_take(chip, offset, request.activeLow, request.bias.number, request.consumer, &input)
        return (result == 0 ? input : nil, -result)
    }

    /// Takes a line and answers whether it is active, without changing anything about it. Nil when it cannot be
    /// had or read. It is valid as long as this chip is open.
    func requestAsIs(_ offset: UInt32, for request: LineRequest) -> (line: OpaquePointer, isActive: Bool)? {
        var taken: OpaquePointer?
        guard cgpiod_line_take_as_is(chip, offset, request.activeLow, request.consumer, &taken) == 0, let line = taken else { return nil }
        let level = cgpiod_line_get(line, offset)
        guard level >= 0 else {
            cgpiod_line_give_back(line)
            return nil
        }
        return (line, level == 1)
    }

    /// Whether a line that nobody holds is active, for `request`; nil when it cannot be had. Nothing changes.
    func isActive(_ offset: UInt32, for request: LineRequest) -> Bool? {
        guard let (line, isActive) = requestAsIs(offset, for: request) else { return nil }
        cgpiod_line_give_back(line)
        return isActive
    }

    /// Takes a line as an output at its inactive level, after a look at what it was: nobody lets go of it between
    /// the look and the taking, so that the look moves nothing. Nil when that cannot be done in this way.
    func lookAndTake(_ offset: UInt32, for request: LineRequest) -> (line: OpaquePointer, wasActive: Bool)? {
        guard let (line, wasActive) = requestAsIs(offset, for: request) else { return nil }
        guard cgpiod_line_make_output(line, offset, request.activeLow) == 0 else {
            cgpiod_line_give_back(line)
            return nil
        }
        return (line, wasActive)
    }
}

extension LineBias {
    fileprivate var number: Int32 {
        switch self {
        case .asIs: Int32(CGPIOD_BIAS_AS_IS)
        case .pullUp: Int32(CGPIOD_BIAS_PULL_UP)
        case .pullDown: Int32(CGPIOD_BIAS_PULL_DOWN)
        case .off: Int32(CGPIOD_BIAS_OFF)
        }
    }
}

/// A text that a CGPIOD function copies out; nil when it failed.
private func kernelText(_ copy: (UnsafeMutablePointer<CChar>, Int) -> Int32) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CGPIOD_NAME_SIZE)) { buffer in
        guard let start = buffer.baseAddress, copy(start, buffer.count) == 0 else { return nil }
        return String(cString: start)
    }
}
