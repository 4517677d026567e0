/// A configuration that can be used, and what is remarkable about it.
public struct LoadedConfiguration: Hashable, Sendable {
    public let configuration: GateConfiguration
    /// The same as TOML with every default spelled out. It loads to an equal configuration.
    public let effectiveText: String
    /// In the order of the text.
    public let warnings: [ConfigurationIssue]
}
