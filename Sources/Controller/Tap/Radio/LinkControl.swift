import Radio

/// What a desk wants done about a link. `Radios` does it; tests and benchmarks do it in process.
package protocol LinkControl: AnyObject, Sendable {
    /// Takes a sample of the link's strength every so many milliseconds.
    func measure(_ link: RadioLink, everyMilliseconds interval: Int64)
    /// Takes none any more.
    func stopMeasuring(_ link: RadioLink)
    /// Hangs up.
    func drop(_ link: RadioLink)
}

extension Radios: LinkControl {}
