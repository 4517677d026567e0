import ControlProtocol

/// Where the reports of a transfer go.
protocol FetchSink: AnyObject {
    /// Takes one report, whatever there is already.
    func send(_ report: FetchReport)
    /// Whether whoever reads them keeps up.
    var hasRoom: Bool { get }
}
