import ControlProtocol

/// Whoever can be asked for files, as long as this object lives.
protocol FetchSource: AnyObject {
    var connection: FetchConnection { get }
}
