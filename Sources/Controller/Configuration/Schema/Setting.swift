/// One key of the configuration: all that readers, checks, suggestions and documents know about it.
public struct Setting: Hashable, Sendable {
    /// The key within its table.
    public let name: String
    public let kind: SettingKind
    public let presence: SettingPresence
    /// One line for the installer.
    public let explanation: String
    /// What it needs beside it; without that its default is not in force. Nil: nothing.
    public let condition: SettingCondition?

    package init(_ name: String, _ kind: SettingKind, _ presence: SettingPresence, _ explanation: String, only condition: SettingCondition? = nil) {
        self.name = name
        self.kind = kind
        self.presence = presence
        self.explanation = explanation
        self.condition = condition
    }
}
