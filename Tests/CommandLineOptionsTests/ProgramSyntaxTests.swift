import CommandLineOptions
import Testing

@Suite("Reading a command line")
struct ProgramSyntaxTests {
    static let gate = ProgramSyntax("gate", version: "1.2.3", "Does gate things.", commands: [
        CommandSyntax("import", "Takes a file.", operands: [OperandSyntax("FILE", "the file")],
                      options: [.flag("json", "one object"), .value("site", "SITE", "the site"),
                                .value("tag", "TAG", isRepeatable: true, "a tag")], details: "More."),
        CommandSyntax("events", "Tells what happens.", operands: [OperandSyntax("LANE", isOptional: true, "one lane")])
    ])
    static let daemon = ProgramSyntax("daemon", version: "1.2.3", "Runs.", options: [.value("config", "FILE", "settings")])

    static func command(_ arguments: String...) throws -> ParsedCommand {
        guard case .run(let command) = try gate.read(arguments) else { throw NotACommand() }
        return command
    }

    static func text(_ program: ProgramSyntax, _ arguments: String...) throws -> String {
        guard case .text(let text) = try program.read(arguments) else { throw NotACommand() }
        return text
    }

    struct NotACommand: Error {}

    @Test func optionsAndOperandsMayBeMixed() throws {
        let command = try Self.command("import", "--site", "north", "data.bin", "--json")
        #expect(command.name == "import")
        #expect(command.operands == ["data.bin"])
        #expect(command.value("site") == "north")
        #expect(command.has("json"))
        #expect(!command.has("tag"))
        #expect(command.value("tag") == nil)
    }

    @Test func aValueMayBeWrittenWithAnEqualsSign() throws {
        #expect(try Self.command("import", "f", "--site=a=b").value("site") == "a=b")
        #expect(try Self.command("import", "f", "--site=").value("site") == "")
        #expect(try Self.command("import", "f", "--site=--x").value("site") == "--x")
    }

    @Test func aRepeatableOptionKeepsItsOrder() throws {
        #expect(try Self.command("import", "--tag", "b", "--tag=a", "f").values("tag") == ["b", "a"])
    }

    @Test func afterTwoDashesEverythingIsAnOperand() throws {
        #expect(try Self.command("import", "--", "--json").operands == ["--json"])
    }

    @Test func anOptionalOperandMayBeLeftOut() throws {
        #expect(try Self.command("events").operand(0) == nil)
        #expect(try Self.command("events", "north").operand(0) == "north")
    }

    @Test func aSingleDashIsAnOperand() throws {
        #expect(try Self.command("import", "-").operands == ["-"])
    }

    static let refused: [([String], CommandLineError)] = [
        ([], .noCommand(known: ["import", "events"])),
        (["inport"], .unknownCommand("inport", known: ["import", "events"])),
        (["help", "inport"], .unknownCommand("inport", known: ["import", "events"])),
        (["import", "--sight", "x", "f"], .unknownOption("sight", known: ["json", "site", "tag", "help", "version"])),
        (["import", "-j", "f"], .unknownOption("j", known: ["json", "site", "tag"])),
        (["import", "f", "--site"], .valueMissing(option: "site")),
        (["import", "--site", "--json", "f"], .valueMissing(option: "site")),
        (["import", "--json=yes", "f"], .valueNotWanted(option: "json")),
        (["import", "--site", "a", "--site", "b", "f"], .optionTwice("site")),
        (["import"], .operandMissing("FILE")),
        (["import", "f", "g"], .operandNotWanted("g"))
    ]

    @Test(arguments: refused)
    func whatIsNotUnderstoodIsRefused(arguments: [String], error: CommandLineError) {
        #expect(throws: error) { try Self.gate.read(arguments) }
        #expect(error.message.hasSuffix("."))
    }

    @Test func aSpellingMistakeGetsASuggestion() {
        let error = CommandLineError.unknownOption("valdi", known: ["valid", "json"])
        #expect(error.message == "There is no option '--valdi' (did you mean '--valid'?).")
        #expect(CommandLineError.unknownCommand("zzz", known: ["import"]).message == "There is no command 'zzz'.")
    }

    @Test func theOldNameOfAnOptionIsAnsweredWithTheNewOne() {
        let error = CommandLineError.unknownOption("away", known: ["gap-ms", "json"])
        #expect(error.message == "There is no option '--away': it is called '--gap-ms' now.")
        #expect(CommandLineError.unknownOption("away", known: ["json"]).message == "There is no option '--away'.")
    }

    @Test func helpNamesEveryCommandAndOption() throws {
        let whole = try Self.text(Self.gate, "--help")
        #expect(try whole == Self.text(Self.gate, "help"))
        for word in ["Does gate things.", "import", "events", "gate COMMAND"] { #expect(whole.contains(word)) }
        let one = try Self.text(Self.gate, "import", "--site", "x", "--help")
        #expect(try one == Self.text(Self.gate, "help", "import"))
        for word in ["gate import [OPTIONS] FILE", "--site SITE", "--json", "--tag TAG", "(may be repeated)", "More."] {
            #expect(one.contains(word))
        }
        #expect(try Self.text(Self.daemon, "-h").contains("Usage: daemon [OPTIONS]"))
    }

    @Test func theVersionIsOneLine() throws {
        #expect(try Self.text(Self.gate, "--version") == "gate 1.2.3")
        #expect(try Self.text(Self.gate, "import", "--version") == "gate 1.2.3")
        #expect(try Self.text(Self.daemon, "--version") == "daemon 1.2.3")
    }

    @Test func aProgramWithoutCommandsReadsItsOptionsAtOnce() throws {
        guard case .run(let command) = try Self.daemon.read(["--config", "a.toml"]) else { throw NotACommand() }
        #expect(command.value("config") == "a.toml")
        #expect(throws: CommandLineError.operandNotWanted("x")) { try Self.daemon.read(["x"]) }
    }

    @Test func valuesAreChecked() throws {
        let command = try Self.command("import", "--site", "70000", "--tag", "x", "f")
        #expect(try command.integer("site", in: 0...80000) == 70000)
        #expect(try command.integer("json", in: 0...1) == nil)
        #expect(throws: CommandLineError.badValue(option: "site", value: "70000", wanted: "a whole number from 1 to 65535")) {
            try command.integer("site", in: 1...65535)
        }
        #expect(throws: CommandLineError.optionMissing("json")) { try command.required("json") }
        #expect(try command.exactlyOne(of: ["json", "site"]) == "site")
        #expect(throws: CommandLineError.optionsExclude("site", "tag")) { try command.exactlyOne(of: ["site", "tag"]) }
        #expect(throws: CommandLineError.oneOptionNeeded(["json", "other"])) {
            try command.exactlyOne(of: ["json", "other"])
        }
        #expect(throws: CommandLineError.optionsExclude("site", "tag")) {
            try command.refuse(["json", "tag"], beside: "site")
        }
        #expect(throws: Never.self) { try command.refuse(["json"], beside: "site") }
        #expect(throws: CommandLineError.optionMissing("json")) { try command.refuse(["other", "tag"], besideNot: "json") }
        #expect(throws: Never.self) { try command.refuse(["tag"], besideNot: "site") }
        #expect(throws: Never.self) { try command.refuse(["other"], besideNot: "json") }
    }

    @Test func eachErrorHasACodeOfItsOwn() {
        let errors: [CommandLineError] = [
            .noCommand(known: []), .unknownCommand("", known: []), .unknownOption("", known: []),
            .valueMissing(option: ""), .valueNotWanted(option: ""), .optionTwice(""), .optionMissing(""),
            .optionsExclude("", ""), .oneOptionNeeded([]), .badValue(option: "", value: "", wanted: ""),
            .operandMissing(""), .operandNotWanted("")
        ]
        #expect(Set(errors.map(\.code)).count == errors.count)
    }
}

extension ProgramSyntaxTests {
    @Test(arguments: [("45s", 45), ("90m", 5400), ("12h", 43200), ("30d", 2_592_000), ("2w", 1_209_600)])
    func durationsHaveAUnit(text: String, seconds: Int64) throws {
        #expect(try Self.command("import", "f", "--site", text).seconds("site") == seconds)
    }

    @Test(arguments: ["", "d", "30", "0d", "-1d", "+1d", "1.5h", "1y", "99999999999999w", "30 d"])
    func otherDurationsAreRefused(text: String) throws {
        let command = try Self.command("import", "f", "--site=\(text)")
        #expect(throws: CommandLineError.badValue(
            option: "site", value: text, wanted: "a duration such as 90m, 12h, 30d or 2w")) { try command.seconds("site") }
        #expect(try command.seconds("tag") == nil)
    }
}
