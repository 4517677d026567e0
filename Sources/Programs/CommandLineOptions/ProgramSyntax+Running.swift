extension ProgramSyntax {
    /// A program from its arguments to its exit status: answers requests for help itself, and tells on
    /// standard error what went wrong.
    /// - Parameters:
    ///   - arguments: without the program's own name.
    ///   - json: whether errors are told as JSON, also when the arguments are wrong.
    ///   - unknown: the code of an error that is no `ReportableError`.
    ///   - body: the program's work; answers the exit status.
    public func run(_ arguments: [String], json: Bool, unknown: String, _ body: (ParsedCommand) throws -> Int32) -> Int32 {
        do {
            switch try read(arguments) {
            case .text(let text):
                StandardStream.output.write(lines: text)
                return ExitStatus.success.rawValue
            case .run(let command):
                return try body(command)
            }
        } catch let error as any ReportableError {
            StandardStream.error.report(name, code: error.code, message: error.message, details: error.details, json: json)
            return error.exitStatus.rawValue
        } catch {
            StandardStream.error.report(name, code: unknown, message: "\(error)", json: json)
            return ExitStatus.failure.rawValue
        }
    }
}
