import CMicroHTTPD
import Threads

/// What libmicrohttpd calls. Each context is the `Answering` that the server holds; that of a request is its `Exchange`.
enum Callbacks {
    static func set(in settings: UnsafeMutablePointer<cmhd_settings>) {
        settings.pointee.handler = { context, connection, url, method, _, piece, length, exchange in
            guard let context, let connection, let url, let method, let length, let exchange else { return CMHD_NO }
            let answering = Unmanaged<Answering>.fromOpaque(context).takeUnretainedValue()
            guard let known = exchange.pointee else {
                return Callbacks.begin(answering, connection, path: String(cString: url), method: String(cString: method), exchange)
            }
            let current = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
            guard length.pointee > 0 else { return current.finish(connection) }
            guard let piece, current.receive(UnsafeRawBufferPointer(start: piece, count: length.pointee)) else { return CMHD_NO }
            length.pointee = 0
            return CMHD_YES
        }
        settings.pointee.connection = { context, connection, _, what in
            guard let context, let connection else { return }
            let answering = Unmanaged<Answering>.fromOpaque(context).takeUnretainedValue()
            let descriptor = cmhd_socket(connection)
            guard what == CMHD_STARTED else { return answering.table.remove(descriptor) }
            answering.table.add(descriptor, from: RequestHeaders.address(of: connection), most: answering.limits.connectionsOfAddress)
        }
        settings.pointee.completed = { context, connection, exchange, _ in
            guard let context, let connection else { return }
            if let known = exchange?.pointee { Unmanaged<Exchange>.fromOpaque(known).release() }
            exchange?.pointee = nil
            Unmanaged<Answering>.fromOpaque(context).takeUnretainedValue().table.begin(cmhd_socket(connection))
        }
        settings.pointee.log = { context, line in
            guard let context, let line else { return }
            Unmanaged<Answering>.fromOpaque(context).takeUnretainedValue().note(String(cString: line))
        }
    }

    /// The headers of a request are here.
    private static func begin(_ answering: Answering, _ connection: OpaquePointer, path: String, method: String,
                              _ exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> MHD_Result {
        let headers = RequestHeaders.read(connection)
        let lengths = headers.filter { $0.name == "content-length" }.map(\.value)
        let isChunked = headers.contains { $0.name == "transfer-encoding" }
        if let refusal = answering.refusal(method: method, lengths: lengths, isChunked: isChunked) { return Sending.send(refusal, answering.policy, connection) }
        guard let method = WebRequest.Method(rawValue: method) else { return CMHD_NO }
        let fresh = Exchange(answering, method: method, path: path, headers: headers)
        exchange.pointee = Unmanaged.passRetained(fresh).toOpaque()
        return CMHD_YES
    }
}

/// One request on its way in. One thread of libmicrohttpd has it.
final class Exchange {
    private let answering: Answering
    private let method: WebRequest.Method
    private let path: String
    private let headers: [(name: String, value: String)]
    private var body: [UInt8] = []

    init(_ answering: Answering, method: WebRequest.Method, path: String, headers: [(name: String, value: String)]) {
        (self.answering, self.method, self.path, self.headers) = (answering, method, path, headers)
        answering.begins()
    }

    deinit { answering.ended() }

    /// More of the body. False when it is more than there may be.
    func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard body.count + piece.count <= answering.limits.bodyBytes else { return false }
        body.append(contentsOf: piece)
        return true
    }

    /// All of it is here.
    func finish(_ connection: OpaquePointer) -> MHD_Result {
        let request = WebRequest(
            method: method, path: path, queries: RequestHeaders.read(connection, queries: true), headers: headers, body: body,
            address: answering.isBehindServer ? ForwardedAddress.read(headers) : RequestHeaders.address(of: connection),
            hasClientCertificate: cmhd_has_certificate(connection) != 0)
        let isLast = answering.isLast(on: cmhd_socket(connection))
        return Sending.send(answering.answer(request), answering.policy, connection, isLast: isLast)
    }
}

enum RequestHeaders {
    /// All headers of a request, or all queries, names in small letters.
    static func read(_ connection: OpaquePointer, queries: Bool = false) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        withUnsafeMutablePointer(to: &headers) { list in
            cmhd_each(connection, queries ? 1 : 0, { context, _, name, value in
                guard let context, let name else { return CMHD_YES }
                context.assumingMemoryBound(to: [(name: String, value: String)].self).pointee
                    .append((String(cString: name).lowercased(), value.map { String(cString: $0) } ?? ""))
                return CMHD_YES
            }, list)
        }
        return headers
    }

    /// That of whoever is connected; empty for none of the internet.
    static func address(of connection: OpaquePointer) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = cmhd_address(connection, &bytes)
        return Array(bytes.prefix(count))
    }
}

/// What the web server in front says of its own peer.
enum ForwardedAddress {
    /// The last hop of the last X-Forwarded-For: all before it is what the client says of itself. Empty where there is none.
    static func read(_ headers: [(name: String, value: String)]) -> [UInt8] {
        guard let last = headers.last(where: { $0.name == "x-forwarded-for" })?.value.split(separator: ",", omittingEmptySubsequences: false).last
        else { return [] }
        var text = String(last).filter { $0 != " " && $0 != "\t" }
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") { text = String(text[..<end].dropFirst()) }
        // Some web servers say the port, too.
        if text.filter({ $0 == ":" }).count == 1, let colon = text.firstIndex(of: ":") { text = String(text[..<colon]) }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = cmhd_read_address(text, &bytes)
        return Array(bytes.prefix(count))
    }
}

enum Sending {
    /// - Parameter isLast: the connection ends with this answer.
    static func send(_ answer: WebAnswer, _ policy: WebPolicy, _ connection: OpaquePointer, isLast: Bool = false) -> MHD_Result {
        guard let response = response(answer.body) else { return CMHD_NO }
        defer { MHD_destroy_response(response) }
        let own = answer.headers.map { $0.name.lowercased() }
        for (name, value) in policy.headers.filter({ !own.contains($0.name.lowercased()) }) + answer.headers {
            guard MHD_add_response_header(response, name, value) == CMHD_YES else { return CMHD_NO }
        }
        if isLast, MHD_add_response_header(response, "Connection", "close") != CMHD_YES { return CMHD_NO }
        return MHD_queue_response(connection, UInt32(answer.status), response)
    }

    private static func response(_ body: WebBody) -> OpaquePointer? {
        switch body {
        case .bytes(let bytes):
            return bytes.withUnsafeBytes { cmhd_response($0.baseAddress, $0.count) }
        case .shared(let shared):
            let held = Unmanaged.passRetained(shared).toOpaque()
            let response = MHD_create_response_from_buffer_with_free_callback_cls(shared.count, shared.buffer.baseAddress, { context in
                guard let context else { return }
                Unmanaged<SharedBytes>.fromOpaque(context).release()
            }, held)
            if response == nil { Unmanaged<SharedBytes>.fromOpaque(held).release() }
            return response
        }
    }
}
