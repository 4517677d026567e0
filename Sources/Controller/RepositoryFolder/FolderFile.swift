import CLinux
import ControlProtocol
import Files
import Glibc
import Threads

/// A regular file below a folder that is served as a web server would.
struct FolderFile {
    let file: FileDescriptor
    let size: Int64

    /// What keeps a file from being served.
    enum Failure: Error {
        /// There is none of that name.
        case missing
        /// The system cannot open it.
        case system(SystemError)
    }

    /// - Parameters:
    ///   - folder: an open one; nothing outside of it is opened, whatever the name is.
    ///   - url: of which the path counts.
    init(in folder: FileDescriptor, url: String) throws(Failure) {
        guard let path = Self.path(of: url) else { throw .missing }
        let descriptor = clinux_open_beneath(folder.raw, path)
        // A link that leads out of the folder, a link as the last part, a name too long for this disk.
        let isNone = [ENOENT, ENOTDIR, ELOOP, EXDEV, ENAMETOOLONG, ENXIO].contains(-descriptor)
        guard descriptor >= 0 else { throw isNone ? .missing : .system(SystemError("open \(path)", descriptor)) }
        file = FileDescriptor(owning: descriptor, path: path)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .missing }
        size = Int64(status.st_size)
    }

    /// The path of a URL, decoded once, without the slash before it; nil for one with a query or a zero in it.
    static func path(of url: String) -> String? {
        guard let scheme = url.firstRange(of: "://"), let slash = url[scheme.upperBound...].firstIndex(of: "/") else { return nil }
        var bytes: [UInt8] = []
        var rest = Array(url[url.index(after: slash)...].utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"): return nil
            case UInt8(ascii: "%"):
                guard let value = UInt8(hexDigits: rest.prefix(2)) else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate init?(hexDigits: ArraySlice<UInt8>) {
        guard hexDigits.count == 2, hexDigits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else { return nil }
        self.init(String(decoding: hexDigits, as: UTF8.self), radix: 16)
    }
}
