import CommandLineOptions
import Credentials
import Encoding
import PhoneTool

enum KeyCommand {
    static func run(_ command: ParsedCommand) throws {
        let path = try command.required("out")
        let form = try form(command)
        let made = try PhoneFiles.makeKey(at: path, use: command.has("agree") ? .agree : .sign, form: form)
        let thumbprint = Hex.encode(made.key.thumbprint)
        if command.has("json") {
            StandardStream.output.write(["private": .string(path), "public": .string(made.publicPath),
                                         "thumbprint": .string(thumbprint), "use": command.has("agree") ? "agree" : "sign"])
        } else {
            for line in ["Made a key.", "  private: \(path)", "  public: \(made.publicPath)", "  thumbprint: \(thumbprint)"] {
                StandardStream.output.write(line: line)
            }
        }
    }

    private static func form(_ command: ParsedCommand) throws(CommandLineError) -> PhoneKeyForm {
        guard let text = command.value("format") else { return .tapstile }
        guard let form = PhoneKeyForm(rawValue: text) else {
            throw .badValue(option: "format", value: text, wanted: PhoneKeyForm.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return form
    }
}
