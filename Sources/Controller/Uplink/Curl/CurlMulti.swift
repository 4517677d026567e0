import CCURL

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
