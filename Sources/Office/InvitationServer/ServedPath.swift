import Encoding
import WebServer

/// The time by which the server signs, UNIX seconds; nil while nobody answers for the machine's clock.
public typealias ServingClock = @Sendable () -> Int64?

/// What both sites share: where they begin, and what they say of what is not there.
enum ServedPath {
    /// The path of a site's address, with a slash at its end.
    static func root(of url: String) -> String {
        let path = WebAddress(url)?.path ?? "/"
        return path.hasSuffix("/") ? path : path + "/"
    }

    /// What follows the root; nil where a path does not begin with it.
    static func name(_ path: String, below root: String) -> String? {
        path.utf8.starts(with: root.utf8) ? String(decoding: path.utf8.dropFirst(root.utf8.count), as: UTF8.self) : nil
    }

    static let nothing = WebAnswer.text("Nothing is here.", status: 404)

    static func wrongMethod(_ allowed: String) -> WebAnswer { .text("This is not done here.", status: 405, headers: [("Allow", allowed)]) }

    static func moved(to root: String) -> WebAnswer { WebAnswer(status: 308, headers: [("Location", root), ("Cache-Control", "no-store")]) }

    /// What a page may ask of the device: nothing but, where it says so, Bluetooth.
    static func permissions(bluetooth: String) -> String {
        "bluetooth=\(bluetooth), accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), "
            + "midi=(), payment=(), serial=(), usb=()"
    }
}
