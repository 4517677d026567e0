import CCURL
import ControlProtocol

/// Fetches one file at a time by HTTP. Connections are kept from one to the next.
///
/// It asks by GET only, follows three redirects at most and never one away from TLS, decodes no contents, knows no cookies, no passwords and
/// no proxy but the one of its set-up, and never holds more than a piece of the file.
final class HTTPFetch {
    static let mostRedirects = 3
    /// What stands in answers that are no file is read so far, for the connection's sake.
    static let mostIgnoredBytes = 16_384
    private static let connectMilliseconds: Int64 = 10_000

    private let multi: CurlMulti
    private let handle: CurlHandle
    private let setup: FetchSetup
    /// Nil where whoever asks decides.
    private let policy: FetchPolicy?
    /// A connection was refused for where it would have led.
    private var refused: NetworkAddress?
    private unowned let sink: any FetchSink
    private var run: Run?

    /// One file on its way.
    private struct Run {
        let job: FetchJob
        let began: Int64
        var redirects = 0
        var isSecure: Bool
        var header = AnswerHeader()
        /// What was said about the answer; nil before.
        var head: FetchHead?
        var received: Int64 = 0
        var ignored = 0
        /// Whoever asked does not keep up.
        var isPaused = false
        var stop: Stop?
    }

    /// Why we ended a transfer ourselves.
    private enum Stop {
        /// Nothing more of it is wanted.
        case enough
        case fault(FetchFault)
    }

    /// Nil where there is no memory for it.
    init?(_ setup: FetchSetup, policy: FetchPolicy?, multi: CurlMulti, sink: any FetchSink) {
        guard let handle = CurlHandle() else { return nil }
        (self.setup, self.policy, self.multi, self.sink, self.handle) = (setup, policy, multi, sink, handle)
    }

    deinit { if run != nil { multi.remove(handle) } }

    var isBusy: Bool { run != nil }

    /// Begins; only when none is on its way.
    /// - Parameter now: monotonic milliseconds.
    func begin(_ job: FetchJob, at now: Int64) {
        run = Run(job: job, began: now, isSecure: Self.isSecure(job.url))
        ask(for: job.url, at: now)
    }

    /// Ends what goes on.
    func cancel() {
        guard run != nil else { return }
        multi.remove(handle)
        fail(FetchFault(.cancelled))
    }

    /// Does what can be done now.
    /// - Parameter now: monotonic milliseconds, asked for when libcurl has ended a transfer: earlier ones would be behind its own clock, and a
    ///   time that is over would look like one that is not.
    func perform(at now: () -> Int64) {
        resume()
        guard let result = multi.perform(), run != nil else { return }
        multi.remove(handle)
        ended(result, at: now())
    }

    // Asking --------------------------------------------------------------------------------------

    private func ask(for url: String, at now: Int64) {
        guard let run else { return }
        if let fault = policy?.fault(of: url) { return fail(fault) }
        let left = run.began + run.job.milliseconds - now
        guard left > 0 else { return fail(FetchFault(.timeOver)) }
        self.run?.header = AnswerHeader()
        handle.reset()
        refused = nil
        do throws(FetchSetupError) {
            try setBounds(run.job, milliseconds: left)
            try setWay()
            try setIdentity(url)
            try setRequest(run.job, url)
        } catch {
            return fail(FetchFault(.other, "libcurl does not take its option \(error.option): \(error.words)"))
        }
        if !multi.add(handle) { fail(FetchFault(.other, "libcurl does not begin")) }
    }

    private func setBounds(_ job: FetchJob, milliseconds: Int64) throws(FetchSetupError) {
        try handle.set(CURLOPT_NOSIGNAL, 1)
        try handle.set(CURLOPT_TIMEOUT_MS, milliseconds)
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, min(milliseconds, Self.connectMilliseconds))
        try handle.set(CURLOPT_LOW_SPEED_LIMIT, job.minimumRate)
        try handle.set(CURLOPT_LOW_SPEED_TIME, max(1, job.windowMilliseconds / 1000))
    }

    private func setWay() throws(FetchSetupError) {
        try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try handle.set(CURLOPT_FOLLOWLOCATION, 0)
        try handle.set(CURLOPT_HTTP_VERSION, CCURL_HTTP_1_1)
        try handle.set(CURLOPT_SSLVERSION, CCURL_TLS_1_2)
        try handle.set(CURLOPT_SSL_VERIFYPEER, 1)
        try handle.set(CURLOPT_SSL_VERIFYHOST, 2)
        // Also where there is none: else the environment would name one.
        try handle.set(CURLOPT_PROXY, setup.proxy ?? "")
        try handle.set(CURLOPT_NOPROXY, setup.noProxy ?? "")
        try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if let authorities = setup.authorities {
            try handle.set(CURLOPT_CAINFO, authorities)
            // Debian's libcurl has a folder of all the world's as well.
            try handle.set(CURLOPT_CAPATH, nil)
        }
        if policy != nil {
            try handle.setOpener({ context, _, address in HTTPFetch.of(context).open(address) }, context: Unmanaged.passUnretained(self).toOpaque())
        }
    }

    /// Who we are is shown to no server but the ones that it is for.
    private func setIdentity(_ url: String) throws(FetchSetupError) {
        let isShown = policy?.isKnown(url) ?? true
        try handle.set(CURLOPT_SSLCERT, isShown ? setup.certificate : nil)
        try handle.set(CURLOPT_SSLKEY, isShown ? setup.key : nil)
    }

    /// The address that a connection would lead to decides, whatever its name was. With a proxy it is the proxy's.
    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        guard let address, let name = ccurl_address(address), let target = NetworkAddress(name), let policy else { return CCURL_NO_SOCKET }
        guard policy.allows(target, isOwn: NetworkAddress.isOwn(name, length: address.pointee.addrlen)) else {
            refused = target
            return CCURL_NO_SOCKET
        }
        return ccurl_open(address)
    }

    private func setRequest(_ job: FetchJob, _ url: String) throws(FetchSetupError) {
        try handle.set(CURLOPT_URL, url)
        try handle.set(CURLOPT_PATH_AS_IS, 1)
        try handle.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        try handle.set(CURLOPT_HTTPGET, 1)
        try handle.set(CURLOPT_USERAGENT, setup.agent)
        // Not CURLOPT_RESUME_FROM: it takes a server for broken that sends the whole file.
        try handle.set(CURLOPT_RANGE, job.offset > 0 ? "\(job.offset)-" : nil)
        try handle.setHeader(["Accept:"] + (job.etag.map { ["If-None-Match: \($0)"] } ?? []))
        try handle.setReaders(
            body: { bytes, size, count, context in HTTPFetch.of(context).receiveBody(HTTPFetch.piece(bytes, size * count)) },
            header: { bytes, size, count, context in HTTPFetch.of(context).receiveHeader(HTTPFetch.piece(bytes, size * count)) },
            context: Unmanaged.passUnretained(self).toOpaque())
    }

    private static func isSecure(_ url: String) -> Bool { url.lowercased().hasPrefix("https:") }

    // Answers -------------------------------------------------------------------------------------

    private static func of(_ context: UnsafeMutableRawPointer?) -> HTTPFetch {
        guard let context else { preconditionFailure("libcurl gives back the context it was given") }
        return Unmanaged<HTTPFetch>.fromOpaque(context).takeUnretainedValue()
    }

    private static func piece(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes, count: count)
    }

    private func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
        guard run?.header.read(line) == true else {
            run?.stop = .fault(FetchFault(.answerMalformed, "its header has more than \(AnswerHeader.mostBytes) bytes"))
            return 0
        }
        return line.count
    }

    private func receiveBody(_ piece: UnsafeRawBufferPointer) -> Int {
        guard run?.stop == nil, let hasContent = beginBody() else { return 0 }
        guard hasContent else { return ignore(piece) }
        guard sink.hasRoom else {
            run?.isPaused = true
            return CCURL_PAUSE
        }
        return handOn(piece)
    }

    /// Whether what follows is the file; nil where it was ended.
    private func beginBody() -> Bool? {
        if let head = run?.head { return head.hasContent }
        // Where to is known at the end only.
        guard !isRedirect else { return false }
        switch judge() {
        case .success(let head):
            run?.head = head
            sink.send(.head(head))
            return head.hasContent
        case .failure(let fault):
            run?.stop = .fault(fault)
            return nil
        }
    }

    private func handOn(_ piece: UnsafeRawBufferPointer) -> Int {
        guard let now = run, let head = now.head else { return 0 }
        let received = now.received + Int64(piece.count)
        guard received <= Self.room(now.job, head.status) else {
            run?.stop = .fault(FetchFault(.tooManyBytes))
            return 0
        }
        run?.received = received
        var rest = piece[...]
        while !rest.isEmpty {
            sink.send(.bytes(Array(rest.prefix(FetchFrame.mostBodyBytes))))
            rest = rest.dropFirst(FetchFrame.mostBodyBytes)
        }
        return piece.count
    }

    private func ignore(_ piece: UnsafeRawBufferPointer) -> Int {
        let ignored = (run?.ignored ?? 0) + piece.count
        run?.ignored = ignored
        guard ignored <= Self.mostIgnoredBytes else {
            run?.stop = .enough
            return 0
        }
        return piece.count
    }

    private func resume() {
        guard run?.isPaused == true, sink.hasRoom else { return }
        run?.isPaused = false
        handle.resume()
    }

    private static func room(_ job: FetchJob, _ status: Int) -> Int64 { status == 206 ? job.mostBytes - job.offset : job.mostBytes }

    /// What the header of the answer means; only for one that is no redirect.
    private func judge() -> Result<FetchHead, FetchFault> {
        guard let run else { return .failure(FetchFault(.other)) }
        let status = Int(handle.number(CURLINFO_RESPONSE_CODE))
        let length = handle.large(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        // One that is none is as good as no tag.
        let etag = run.header.tag.map { String(decoding: $0, as: UTF8.self) }.flatMap { FetchJob.isETag($0) ? $0 : nil }
        guard let head = try? FetchHead(status: status, length: length >= 0 ? length : nil, etag: etag) else {
            return .failure(FetchFault(.answerMalformed, "it has the status \(status)"))
        }
        if status == 206, run.job.offset == 0 || run.header.rangeStart != run.job.offset {
            return .failure(FetchFault(.answerMalformed, "it sends another part than was asked for"))
        }
        if status == 304, run.job.etag == nil { return .failure(FetchFault(.answerMalformed, "it calls unchanged what was never there")) }
        if head.hasContent, length > Self.room(run.job, status) {
            return .failure(FetchFault(.tooManyBytes, "\(length) bytes are announced"))
        }
        return .success(head)
    }

    private var isRedirect: Bool { [301, 302, 303, 307, 308].contains(handle.number(CURLINFO_RESPONSE_CODE)) }

    /// Where the server sends us instead, at the end of its answer.
    private var redirect: String? { isRedirect ? handle.text(CURLINFO_REDIRECT_URL) : nil }

    // Ends ----------------------------------------------------------------------------------------

    private func ended(_ result: CURLcode, at now: Int64) {
        guard let run else { return }
        switch run.stop {
        case .fault(let fault): fail(fault)
        case .enough: answered(at: now)
        case nil: result == CURLE_OK ? answered(at: now) : fail(fault(result, at: now))
        }
    }

    private func answered(at now: Int64) {
        if let redirect { return follow(redirect, at: now) }
        switch run?.head.map(Result.success) ?? judge() {
        case .success(let head):
            if run?.head == nil { sink.send(.head(head)) }
            run = nil
            sink.send(.end)
        case .failure(let fault):
            fail(fault)
        }
    }

    private func follow(_ url: String, at now: Int64) {
        guard let run, run.redirects < Self.mostRedirects else {
            return fail(FetchFault(.redirectRefused, "more than \(Self.mostRedirects) of them"))
        }
        guard (try? FetchJob(url: url, mostBytes: 0, milliseconds: 1, minimumRate: 0)) != nil else {
            return fail(FetchFault(.redirectRefused, "to what is no address of http or https"))
        }
        guard !run.isSecure || Self.isSecure(url) else { return fail(FetchFault(.redirectRefused, "away from https")) }
        self.run?.redirects += 1
        self.run?.isSecure = Self.isSecure(url)
        self.run?.ignored = 0
        self.run?.stop = nil
        ask(for: url, at: now)
    }

    private func fail(_ fault: FetchFault) {
        run = nil
        sink.send(.failed(fault))
    }

    private func fault(_ result: CURLcode, at now: Int64) -> FetchFault {
        let detail = handle.failureText(result)
        if let refused, handle.large(CURLINFO_PRETRANSFER_TIME_T) <= 0 { return FetchFault(.addressLocal, refused.text) }
        guard result == CURLE_OPERATION_TIMEDOUT, let run else {
            return .of(result, detail: detail, hasProxy: setup.proxy != nil, connectStatus: handle.number(CURLINFO_HTTP_CONNECTCODE))
        }
        if now - run.began >= run.job.milliseconds { return FetchFault(.timeOver, detail) }
        // Something was sent already.
        if handle.large(CURLINFO_PRETRANSFER_TIME_T) > 0 { return FetchFault(.tooSlow, detail) }
        if setup.proxy != nil { return FetchFault(.proxyFailed, detail) }
        return FetchFault(handle.large(CURLINFO_NAMELOOKUP_TIME_T) > 0 ? .connectFailed : .nameNotFound, detail)
    }
}
