/// The programs that are measured, as they are shipped.
struct TestedPrograms {
    /// Folder of the release build.
    let folder: String

    var daemon: String { "\(folder)/tapstiled" }
    var nfc: String { "\(folder)/tapstile-nfc" }
    var authority: String { "\(folder)/tapstile-authority" }
    var bench: String { "\(folder)/tapstile-bench" }
}
