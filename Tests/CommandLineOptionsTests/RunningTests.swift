import CommandLineOptions
import Testing

/// What a program tells the shell.
@Suite struct RunningTests {
    private struct Full: ReportableError {
        let code = "disk-full"
        let message = "No space is left."
        let exitStatus: CommandLineOptions.ExitStatus
    }

    private struct Strange: Error {}

    private static let program = ProgramSyntax("x", "Does something.", operands: [OperandSyntax("FILE", "a file")])

    private func status(_ arguments: [String], _ body: (ParsedCommand) throws -> Int32) -> Int32 {
        Self.program.run(arguments, json: true, unknown: "internal-error", body)
    }

    @Test func theBodyIsGivenTheCommandAndAnswersTheStatus() {
        #expect(status(["a"]) { $0.operand(0) == "a" ? 3 : 4 } == 3)
    }

    @Test func helpNeedsNoBody() {
        #expect(status(["--help"]) { _ in 5 } == 0)
    }

    @Test func wrongArgumentsAreAMatterOfUsage() {
        #expect(status(["--nonsense"]) { _ in 5 } == 2)
    }

    @Test(arguments: [CommandLineOptions.ExitStatus.failure, .usage])
    func anErrorSaysWhatTheShellIsTold(told: CommandLineOptions.ExitStatus) {
        #expect(status(["a"]) { _ in throw Full(exitStatus: told) } == told.rawValue)
    }

    @Test func anErrorNobodyKnowsIsAFailure() {
        #expect(status(["a"]) { _ in throw Strange() } == 1)
    }
}
