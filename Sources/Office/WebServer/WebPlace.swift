import CMicroHTTPD
import Encoding
import Files
import Glibc
import Service
import Threads

/// Where a server listens.
public enum WebPlace: Hashable, Sendable {
    /// An address of the internet in numbers, and a port.
    case internet(host: String, port: UInt16)
    /// A socket in the file system, for a web server in front.
    case unix(path: String)

    /// As it is written.
    public var text: String {
        switch self {
        case .internet(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }

    /// How many connections wait until one is free.
    private static let backlog: Int32 = 1024

    /// Begins to listen. A Unix socket is that of its owner and its group: whoever may connect says from where requests come.
    func open() throws(WebServerError) -> FileDescriptor {
        do throws(SystemError) {
            switch self {
            case .internet(let host, let port):
                return FileDescriptor(owning: try SystemError.check(cmhd_listen(host, String(port)), "listen"))
            case .unix(let path):
                let socket = try ListeningSocket.open(path: path)
                guard listen(socket.raw, Self.backlog) == 0, chmod(path, 0o660) == 0 else { throw SystemError("listen", errno) }
                return socket
            }
        } catch {
            throw .cannotListen(text, error)
        }
    }
}

/// What a server proves itself with, as files: read again when they were renewed.
public struct WebCertificate: Hashable, Sendable {
    /// The path of the chain in PEM, the server's own certificate first.
    public var chain: String
    /// The path of its key in PEM.
    public var key: String
    /// The path of the authorities in PEM whose clients may come; nil: no client needs a certificate.
    public var clientAuthorities: String?

    /// Files.
    public init(chain: String, key: String, clientAuthorities: String? = nil) {
        (self.chain, self.key, self.clientAuthorities) = (chain, key, clientAuthorities)
    }

    private static let longest = 1 << 18

    /// Refuses files that cannot be used together.
    public func check() throws(WebServerError) { _ = try read() }

    /// Reads all of them.
    func read() throws(WebServerError) -> LoadedCertificate {
        let loaded: LoadedCertificate
        do throws(SystemError) {
            loaded = LoadedCertificate(chain: try SmallFile.read(chain, limit: Self.longest) + [0], key: try SmallFile.read(key, limit: Self.longest) + [0],
                                       clientAuthorities: try clientAuthorities.map { path throws(SystemError) in
                                           try SmallFile.read(path, limit: Self.longest) + [0]
                                       })
        } catch {
            throw .unreadable(error)
        }
        let isPair = loaded.chain.withUnsafeBytes { chain in
            loaded.key.withUnsafeBytes { key in
                cmhd_check_pair(chain.baseAddress?.assumingMemoryBound(to: CChar.self), key.baseAddress?.assumingMemoryBound(to: CChar.self)) == 0
            }
        }
        guard isPair else { throw .badCertificate(certificate: chain, key: key) }
        return loaded
    }
}

/// Texts in PEM, each with a zero at its end.
struct LoadedCertificate {
    let chain: [UInt8]
    let key: [UInt8]
    let clientAuthorities: [UInt8]?

    /// The last second of the server's own certificate, UNIX time; nil where nobody can read it.
    var end: Int64? {
        let end = chain.withUnsafeBytes { $0.baseAddress.map { cmhd_certificate_end($0.assumingMemoryBound(to: CChar.self)) } ?? -1 }
        return end < 0 ? nil : end
    }
}
