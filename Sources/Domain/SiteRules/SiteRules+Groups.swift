extension SiteRules {
    /// Whether anything here depends on who belongs to which group: a rule, or an exemption in a zone.
    public var needGroups: Bool { !rules.isEmpty || zones.contains { !$0.exemptGroups.isEmpty } }
}
