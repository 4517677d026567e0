/// One table of the configuration, with its keys and the tables in it.
public struct SettingTable: Hashable, Sendable {
    /// How often the table may stand in its parent.
    public enum Form: Hashable, Sendable {
        /// `[name]`; left out it counts as empty.
        case single
        /// `[name]`; left out there is none.
        case optional
        /// `[[name]]`, at least so often.
        case list(minimum: Int)
    }

    /// The last part of its name.
    public let name: String
    public let form: Form
    /// What it is about, for the installer.
    public let explanation: String
    public let settings: [Setting]
    public let tables: [SettingTable]

    package init(_ name: String, _ form: Form = .single, _ explanation: String, settings: [Setting] = [],
         tables: [SettingTable] = []) {
        self.name = name
        self.form = form
        self.explanation = explanation
        self.settings = settings
        self.tables = tables
    }

    /// Every key that may stand in this table.
    var names: [String] { settings.map(\.name) + tables.map(\.name) }
}
