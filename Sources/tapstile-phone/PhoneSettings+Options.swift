import CommandLineOptions
import Conversations
import PhoneTool
import VirtualPhone

extension PhoneSettings {
    /// The settings that the options of `tap` give.
    init(_ command: ParsedCommand, signs: Bool) throws {
        let method = try command.integer("method", in: 0...3) ?? (signs ? 0 : 3)
        // Methods 0 and 1: the phone signs; 0 and 2: the gate signs (RFC 9528, table 2).
        guard (method < 2) == signs else {
            throw PhoneToolError.methodDoesNotFit(method: method, use: signs ? .sign : .agree)
        }
        self.init(gateSigns: method % 2 == 0, suites: try Self.suites(command), command: command.value("command"),
                  trigger: command.has("manual") ? .manual : .automatic, isForeground: command.has("foreground"))
    }

    private static func suites(_ command: ParsedCommand) throws(CommandLineError) -> [Int] {
        guard let text = command.value("suite") else { return [2] }
        let suites = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard !suites.isEmpty, suites.count <= 4, suites.allSatisfy({ $0.map((0...3).contains) ?? false }) else {
            throw .badValue(option: "suite", value: text, wanted: "a list of suites from 0 to 3, such as 2,3")
        }
        return suites.compactMap(\.self)
    }
}
