import CCURL
import ControlProtocol

extension FetchFault {
    /// What libcurl's number means for whoever asked.
    /// - Parameters:
    ///   - hasProxy: whether a proxy stands between.
    ///   - connectStatus: what the proxy answered to CONNECT; 0 where it was not asked.
    static func of(_ result: CURLcode, detail: String, hasProxy: Bool, connectStatus: Int64) -> FetchFault {
        if hasProxy, connectStatus != 0, !(200...299).contains(connectStatus) { return FetchFault(.proxyFailed, detail) }
        return FetchFault(kind(of: result, detail: detail, hasProxy: hasProxy), detail)
    }

    private static func kind(of result: CURLcode, detail: String, hasProxy: Bool) -> Kind {
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST: .nameNotFound
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxyFailed
        case CURLE_COULDNT_CONNECT: hasProxy ? .proxyFailed : .connectFailed
        case CURLE_PEER_FAILED_VERIFICATION: .certificateRefused
        case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM: .certificateUnusable
        case CURLE_SSL_CONNECT_ERROR: isAboutOurCertificate(detail) ? .clientCertificateRefused : .connectFailed
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR: isAboutOurCertificate(detail) ? .clientCertificateRefused : .connectionLost
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING: .connectionLost
        // No header at all (HTTP/0.9), or one with a status that there is not: an answer to an address that is in order.
        case CURLE_UNSUPPORTED_PROTOCOL where detail.hasPrefix("Received HTTP/0.9") || detail.hasPrefix("Unsupported response code"): .answerMalformed
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_LOGIN_DENIED: .addressRefused
        // A line of a header that libcurl does not hold; later versions say so by a number of its own.
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_OUT_OF_MEMORY, CURLcode(rawValue: 100): .answerMalformed
        default: .other
        }
    }

    /// The alerts of TLS by which a server refuses a certificate (RFC 8446, 6.2), in the words of libssl.
    private static func isAboutOurCertificate(_ detail: String) -> Bool {
        ["alert certificate required", "alert bad certificate", "alert unknown ca", "alert certificate unknown", "alert certificate expired",
         "alert certificate revoked", "alert unsupported certificate"].contains { detail.contains($0) }
    }
}
