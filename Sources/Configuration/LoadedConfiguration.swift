/// A configuration that can be used, and what is remarkable about it.
public struct LoadedConfiguration: Hashable, Sendable {
    public let configuration: GateConfiguration
    /// In the order of the text.
    public let warnings: [ConfigurationIssue]
}
