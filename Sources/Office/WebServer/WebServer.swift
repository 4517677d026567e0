import CMicroHTTPD
import Files
import Glibc
import Service
import Threads

/// An HTTP server: a listener, and whoever answers.
///
/// Threads: libmicrohttpd's answer, `limits.threads` of them; one more ends what takes too long. `running` is the lock of start, renewal and
/// stop, which never wait for an answer under any other.
public final class WebServer: Sendable {
    /// Answers one request, on one of several threads at once.
    public typealias Handler = @Sendable (WebRequest) -> WebAnswer

    private let listener: FileDescriptor
    private let certificate: WebCertificate?
    private let limits: WebLimits
    private let answering: Answering
    private let table = ConnectionTable()
    private let running: Mutex<RunningServer?>
    private let isStopped = Monitor(false)
    private let watch: Worker

    /// Begins to listen and to answer.
    /// - Parameters:
    ///   - certificate: nil for plain HTTP.
    ///   - policy: what each answer says.
    ///   - tooLong: what is answered to a body beyond the limit; nil: a sentence.
    ///   - log: has what libmicrohttpd says of connections, which is for those who look for a fault.
    public init(at place: WebPlace, certificate: WebCertificate?, policy: WebPolicy, limits: WebLimits = WebLimits(), tooLong: WebAnswer? = nil,
                log: @escaping @Sendable (String) -> Void = { _ in }, handler: @escaping Handler) throws(WebServerError) {
        let isBehind: Bool
        switch place {
        case .unix: isBehind = true
        case .internet: isBehind = false
        }
        listener = try place.open()
        (self.certificate, self.limits) = (certificate, limits)
        answering = Answering(policy: policy, limits: limits, isBehindServer: isBehind, table: table, tooLong: tooLong, log: log, handler: handler)
        running = Mutex(try RunningServer(listener: listener, certificate: certificate?.read(), limits: limits, answering: answering))
        let patience = Int64(limits.requestSeconds) * 1000
        let (table, isStopped) = (table, isStopped)
        do throws(SystemError) {
            watch = try Worker(name: "web-limits", stackBytes: 64 * 1024) {
                while isStopped.wait(untilNanoseconds: MonotonicTime.nanoseconds + 1_000_000_000, { $0 ? () : nil }) == nil {
                    table.end(before: MonotonicTime.milliseconds - patience)
                }
            }
        } catch {
            running.withLock { $0?.stop(); $0 = nil }
            throw .notStarted(error.message)
        }
    }

    /// The port at which it listens, also where it was given none; 0 for a Unix socket.
    public var port: UInt16 { cmhd_port(listener.raw) }
    /// The last second of the certificate that browsers are shown, UNIX time; nil where there is none.
    public var certificateEnd: Int64? { running.withLock { $0?.certificateEnd } }
    /// How many are connected.
    public var connections: Int { table.count }

    /// Reads the certificate and its key again. Who is connected stays so for as long as its request takes; where the files are no good, all
    /// stays as it is.
    public func renewCertificate() throws(WebServerError) {
        guard let certificate else { return }
        let loaded = try certificate.read()
        let fresh = try RunningServer(listener: listener, certificate: loaded, limits: limits, answering: answering)
        let old = running.withLock { running in
            defer { running = fresh }
            return running
        }
        old?.stop()
    }

    /// Takes no more connections, lets those that are being answered end, and returns when nobody is any more.
    public func stop() {
        isStopped.change { $0 = true }
        watch.join()
        let last = running.withLock { running in
            defer { running = nil }
            return running
        }
        last?.stop()
    }
}

/// One daemon of libmicrohttpd.
///
/// `@unchecked Sendable`: `stop` is called once, by whoever took it out of the server.
final class RunningServer: @unchecked Sendable {
    let certificateEnd: Int64?
    private let daemon: OpaquePointer
    private let settings: UnsafeMutablePointer<cmhd_settings>
    private let answering: Answering

    init(listener: FileDescriptor, certificate: LoadedCertificate?, limits: WebLimits, answering: Answering) throws(WebServerError) {
        let own = fcntl(listener.raw, F_DUPFD_CLOEXEC, 3)
        guard own >= 0 else { throw .notStarted(SystemError("listen", errno).message) }
        let settings = UnsafeMutablePointer<cmhd_settings>.allocate(capacity: 1)
        settings.initialize(to: cmhd_settings())
        settings.pointee.listener = own
        settings.pointee.connections = UInt32(limits.connections)
        settings.pointee.connections_of_address = UInt32(limits.connectionsOfAddress)
        settings.pointee.idle_seconds = UInt32(limits.idleSeconds)
        settings.pointee.threads = UInt32(limits.threads)
        settings.pointee.memory_of_connection = WebLimits.headerBytes
        settings.pointee.stack = WebLimits.stackBytes
        settings.pointee.context = Unmanaged.passUnretained(answering).toOpaque()
        Callbacks.set(in: settings)
        let started = Self.withTexts(certificate) { chain, key, trust in
            settings.pointee.certificate = chain
            settings.pointee.key = key
            settings.pointee.trust = trust
            return cmhd_start(settings)
        }
        guard let started else {
            close(own)
            settings.deallocate()
            throw .notStarted(answering.lastLine)
        }
        (daemon, self.settings, self.answering, certificateEnd) = (started, settings, answering, certificate?.end)
    }

    /// How long those that are being answered may take, in milliseconds.
    private static let patience: Int64 = 5_000

    func stop() {
        let own = MHD_quiesce_daemon(daemon)
        let deadline = MonotonicTime.milliseconds + Self.patience
        while answering.isAnswering, MonotonicTime.milliseconds < deadline { usleep(20_000) }
        MHD_stop_daemon(daemon)
        if own >= 0 { close(own) }
        settings.deallocate()
    }

    /// The texts live until libmicrohttpd has read them.
    private static func withTexts<Result>(
        _ certificate: LoadedCertificate?,
        _ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Result
    ) -> Result {
        guard let certificate else { return body(nil, nil, nil) }
        return certificate.chain.withUnsafeBytes { chain in
            certificate.key.withUnsafeBytes { key in
                func text(_ bytes: UnsafeRawBufferPointer) -> UnsafePointer<CChar>? { bytes.baseAddress?.assumingMemoryBound(to: CChar.self) }
                guard let trust = certificate.clientAuthorities else { return body(text(chain), text(key), nil) }
                return trust.withUnsafeBytes { body(text(chain), text(key), text($0)) }
            }
        }
    }
}
