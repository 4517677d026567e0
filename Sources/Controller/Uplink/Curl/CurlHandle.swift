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

/// What waits for libcurl and for other descriptors at once, and keeps connections from one transfer to the next.
final class CurlMulti {
    private let raw: UnsafeMutableRawPointer

    /// A descriptor that is waited for besides libcurl's own.
    struct Other {
        let descriptor: Int32
        let isForWriting: Bool
    }

    /// Nil where there is no memory for it.
    init?() {
        guard ccurl_start() == CURLE_OK, let raw = curl_multi_init() else { return nil }
        self.raw = raw
        // To the server and, after a redirect, to another one.
        _ = ccurl_set_multi_number(raw, CURLMOPT_MAXCONNECTS, 4)
    }

    deinit { curl_multi_cleanup(raw) }

    func add(_ handle: CurlHandle) -> Bool { curl_multi_add_handle(raw, handle.raw) == CURLM_OK }

    func remove(_ handle: CurlHandle) { curl_multi_remove_handle(raw, handle.raw) }

    /// Lets libcurl do what it can do now. Answers how a transfer has ended, if one has.
    func perform() -> CURLcode? {
        var running: Int32 = 0
        guard curl_multi_perform(raw, &running) == CURLM_OK else { return CURLE_OUT_OF_MEMORY }
        var result = CURLE_OK
        return ccurl_next_end(raw, &result) == 1 ? result : nil
    }

    /// Waits until there is something to do, at most so long.
    func wait(for others: [Other], milliseconds: Int64) {
        var waited = others.map { curl_waitfd(fd: $0.descriptor, events: Int16($0.isForWriting ? CCURL_WRITABLE : CCURL_READABLE), revents: 0) }
        _ = curl_multi_poll(raw, &waited, UInt32(waited.count), Int32(clamping: max(0, milliseconds)), nil)
    }
}

/// This libcurl does not take an option.
struct FetchSetupError: Error {
    /// Its number (curl.h).
    let option: Int
    /// libcurl's words.
    let words: String
}
