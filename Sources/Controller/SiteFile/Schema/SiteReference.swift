import Configuration

/// The reference of a site's file as Markdown: the end of docs/site.md.
public enum SiteReference {
    /// Where the generated part begins in docs/site.md.
    public static let marker = "<!-- From here on made from the schema: SiteReference. -->"

    /// One section a table, one row a key.
    public static var markdown: String { ConfigurationReference.markdown(of: SiteSchema.root, after: marker) }
}
