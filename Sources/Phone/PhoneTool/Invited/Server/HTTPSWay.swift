import CCURL
import Encoding

/// Asks by HTTPS (libcurl). Certificates are always judged, redirects never followed, answers bounded in length and time.
public struct HTTPSWay: InvitationWay {
    private let authorities: String?
    private let agent: String

    private static let connectMilliseconds: Int64 = 10_000
    private static let wholeMilliseconds: Int64 = 30_000

    /// - Parameters:
    ///   - authorities: a PEM file with the only ones to believe; nil for those of this machine.
    ///   - agent: what this program calls itself.
    public init(authorities: String?, agent: String) {
        self.authorities = authorities
        self.agent = agent
    }

    public func post(_ path: String, to server: InvitationServer, _ body: JSON) throws(InvitedFault) -> ServerAnswer {
        guard let request = CurlRequest() else { throw .server(.other, detail: "no memory") }
        request.set(CURLOPT_NOSIGNAL, 1)
        request.set(CURLOPT_TIMEOUT_MS, Self.wholeMilliseconds)
        request.set(CURLOPT_CONNECTTIMEOUT_MS, Self.connectMilliseconds)
        request.set(CURLOPT_PROTOCOLS_STR, "https")
        request.set(CURLOPT_FOLLOWLOCATION, 0)
        request.set(CURLOPT_HTTP_VERSION, CCURL_HTTP_1_1)
        request.set(CURLOPT_SSLVERSION, CCURL_TLS_1_2)
        request.set(CURLOPT_SSL_VERIFYPEER, 1)
        request.set(CURLOPT_SSL_VERIFYHOST, 2)
        if let authorities {
            request.set(CURLOPT_CAINFO, authorities)
            // Debian's libcurl has a folder of all the world's as well.
            request.set(CURLOPT_CAPATH, nil)
        }
        // A proxy of the environment sees no more than names, but none leads back to this machine.
        if server.isLoopback { request.set(CURLOPT_PROXY, "") }
        request.set(CURLOPT_USERAGENT, agent)
        request.set(CURLOPT_URL, server.base + path)
        request.set(CURLOPT_PATH_AS_IS, 1)
        request.set(CURLOPT_COPYPOSTFIELDS, body.text)
        request.setHeader(["Content-Type: application/json", "Accept: application/json", "Expect:"])
        return try request.perform()
    }
}

/// One request of libcurl's, and its answer. What cannot be set is told when it is performed: a bound could be missing.
private final class CurlRequest {
    private let raw: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var list: UnsafeMutablePointer<curl_slist>?
    private var setting = CURLE_OK
    private var body: [UInt8] = []
    private var isTooLong = false

    init?() {
        guard ccurl_start() == CURLE_OK, let raw = curl_easy_init() else { return nil }
        self.raw = raw
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        note(ccurl_set_error_text(raw, errorText))
    }

    deinit {
        curl_easy_cleanup(raw)
        errorText.deallocate()
        curl_slist_free_all(list)
    }

    func set(_ option: CURLoption, _ value: String?) { note(ccurl_set_text(raw, option, value)) }
    func set(_ option: CURLoption, _ value: Int64) { note(ccurl_set_number(raw, option, value)) }

    func setHeader(_ lines: [String]) {
        for line in lines { list = curl_slist_append(list, line) ?? list }
        note(ccurl_set_list(raw, CURLOPT_HTTPHEADER, list))
    }

    private func note(_ result: CURLcode) { if setting == CURLE_OK { setting = result } }

    func perform() throws(InvitedFault) -> ServerAnswer {
        let context = Unmanaged.passUnretained(self).toOpaque()
        note(ccurl_set_readers(
            raw, { bytes, size, count, context in CurlRequest.of(context)?.receive(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0 },
            { _, size, count, _ in size * count }, context))
        guard setting == CURLE_OK else { throw .server(.other, detail: Self.words(for: setting)) }
        let result = curl_easy_perform(raw)
        guard !isTooLong else { throw .answer(.tooLong) }
        guard result == CURLE_OK else {
            throw .server(Self.flaw(of: result), detail: errorText[0] == 0 ? Self.words(for: result) : String(cString: errorText))
        }
        return ServerAnswer(status: Int(ccurl_number(raw, CURLINFO_RESPONSE_CODE)), body: body)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> CurlRequest? {
        context.map { Unmanaged<CurlRequest>.fromOpaque($0).takeUnretainedValue() }
    }

    private func receive(_ piece: UnsafeRawBufferPointer) -> Int {
        isTooLong = isTooLong || body.count + piece.count > ServerAnswer.mostBytes
        guard !isTooLong else { return 0 }
        body += piece
        return piece.count
    }

    private static func words(for result: CURLcode) -> String { String(cString: curl_easy_strerror(result)) }

    private static func flaw(of result: CURLcode) -> ServerFlaw {
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .nameUnknown
        case CURLE_COULDNT_CONNECT, CURLE_PROXY: .unreachable
        case CURLE_PEER_FAILED_VERIFICATION: .certificate
        case CURLE_SSL_CACERT_BADFILE: .authorities
        case CURLE_OPERATION_TIMEDOUT: .slow
        case CURLE_SSL_CONNECT_ERROR, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING: .lost
        default: .other
        }
    }
}
