import CCURL

/// One easy handle of libcurl: an answer at a time. What it asks for is set anew for each.
final class CurlHandle {
    let raw: UnsafeMutableRawPointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var list: UnsafeMutablePointer<curl_slist>?

    /// Nil where there is no memory for it.
    init?() {
        guard let raw = curl_easy_init() else { return nil }
        self.raw = raw
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(raw)
        errorText.deallocate()
        curl_slist_free_all(list)
    }

    /// Forgets all that was set; connections and sessions of TLS stay.
    func reset() {
        curl_easy_reset(raw)
        errorText[0] = 0
        curl_slist_free_all(list)
        list = nil
        _ = ccurl_set_error_text(raw, errorText)
    }

    /// - Throws: where this libcurl does not take it. Nothing may go on then: a bound could be missing.
    func set(_ option: CURLoption, _ value: String?) throws(FetchSetupError) {
        try check(option, ccurl_set_text(raw, option, value))
    }

    func set(_ option: CURLoption, _ value: Int64) throws(FetchSetupError) {
        try check(option, ccurl_set_number(raw, option, value))
    }

    /// The lines of a header that are sent besides libcurl's own.
    func setHeader(_ lines: [String]) throws(FetchSetupError) {
        for line in lines { list = curl_slist_append(list, line) ?? list }
        try check(CURLOPT_HTTPHEADER, ccurl_set_list(raw, CURLOPT_HTTPHEADER, list))
    }

    func setReaders(body: @escaping curl_write_callback, header: @escaping curl_write_callback,
                    context: UnsafeMutableRawPointer) throws(FetchSetupError) {
        try check(CURLOPT_WRITEFUNCTION, ccurl_set_readers(raw, body, header, context))
    }

    func setOpener(_ opener: @escaping curl_opensocket_callback, context: UnsafeMutableRawPointer) throws(FetchSetupError) {
        try check(CURLOPT_OPENSOCKETFUNCTION, ccurl_set_opener(raw, opener, context))
    }

    private func check(_ option: CURLoption, _ result: CURLcode) throws(FetchSetupError) {
        guard result == CURLE_OK else { throw FetchSetupError(option: Int(option.rawValue), words: Self.words(for: result)) }
    }

    /// The readers take more again. They may be called before this returns.
    func resume() { curl_easy_pause(raw, CCURL_CONTINUE) }

    func number(_ fact: CURLINFO) -> Int64 { ccurl_number(raw, fact) }

    func large(_ fact: CURLINFO) -> Int64 { ccurl_large(raw, fact) }

    func text(_ fact: CURLINFO) -> String? { ccurl_text(raw, fact).map { String(cString: $0) } }

    /// What libcurl says of the last failure. Parts of it may come from the server.
    func failureText(_ result: CURLcode) -> String {
        errorText[0] == 0 ? Self.words(for: result) : String(cString: errorText)
    }

    private static func words(for result: CURLcode) -> String { String(cString: curl_easy_strerror(result)) }
}
