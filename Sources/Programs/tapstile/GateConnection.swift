import ControlProtocol
import Encoding
import Service

/// A conversation with the running gate over its control socket.
final class GateConnection {
    /// Where the socket lies on a gate.
    static let standardPath = "/run/tapstile/control.sock"

    private let client: ControlClient
    private var lastRequest: Int64 = 0

    /// The sockets of operators and of observers, for whoever is in neither of the groups before.
    private static let otherPaths = ["/run/tapstile/operator.sock", "/run/tapstile/observer.sock"]

    /// Connects to the gate's socket.
    /// - Parameter path: nil for the first of the standard ones that this user may open.
    init(path: String?) throws(ControlClientError) {
        client = if let path { try ControlClient(path: path) } else { try Self.firstOpen() }
    }

    private static func firstOpen() throws(ControlClientError) -> ControlClient {
        do throws(ControlClientError) {
            return try ControlClient(path: standardPath)
        } catch {
            guard case .notPermitted = error else { throw error }
            for path in otherPaths {
                if let client = try? ControlClient(path: path) { return client }
            }
            throw error
        }
    }

    /// Asks and waits for the answer.
    /// - Parameter file: an open file that travels with the request.
    func ask(_ operation: ControlOperation, file: Int32? = nil) throws -> JSON {
        lastRequest += 1
        try client.send(ControlRequest(id: lastRequest, operation: operation).line, file: file)
        while let line = try client.receive() {
            let response = try ControlResponse(parsing: line)
            // 0 answers a line that could not be read, or all clients at once.
            guard response.id == lastRequest || response.id == 0 else { continue }
            return try response.result.get()
        }
        throw ControlError(code: "gate-gone", message: "The gate closed the connection before it answered.")
    }

    /// The next event; nil when the gate has closed the connection.
    func nextEvent() throws -> JSON? {
        guard let line = try client.receive() else { return nil }
        do {
            return try JSON.parse(line)
        } catch {
            throw ControlError(code: error.code, message: error.message)
        }
    }
}
