import CommandLineOptions
import Encoding
import PhoneTool

enum KeyCommand {
    static func run(_ command: ParsedCommand) throws {
        let path = try command.required("out")
        let made = try PhoneFiles.makeKey(at: path, use: command.has("agree") ? .agree : .sign)
        let thumbprint = Hex.encode(made.key.thumbprint)
        if command.has("json") {
            StandardStream.output.write(["private": .string(path), "public": .string(made.publicPath),
                                         "thumbprint": .string(thumbprint), "use": command.has("agree") ? "agree" : "sign"])
        } else {
            StandardStream.output.write(line: """
                Made a key.
                  private: \(path)
                  public: \(made.publicPath)
                  thumbprint: \(thumbprint)
                """)
        }
    }
}
