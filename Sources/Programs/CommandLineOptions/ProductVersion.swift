/// The version of the product; every program has the same one (CHANGELOG.md).
public enum ProductVersion {
    /// Major, minor and patch.
    public static let current = "0.1.0"
}
