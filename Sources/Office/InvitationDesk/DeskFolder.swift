import Credentials
import Cryptography
import Files
import Glibc
import Invitations
import Storage
import Threads

/// The folder of a server of invitations. Its group, the office's user, may go through it to `queue` and no further.
struct DeskFolder: Sendable {
    let path: String

    static let key = "issuer.key", publicKey = "issuer.pub"
    static let queue = "queue", queueFile = "queue/revoked.json"
    private static let folderMode: UInt32 = 0o710, queueMode: UInt32 = 0o750, queueFileMode: UInt32 = 0o640

    func path(of name: String) -> String { "\(path)/\(name)" }

    func has(_ name: String) -> Bool { access(path(of: name), F_OK) == 0 }

    /// Makes the folder and what belongs into it, for whoever runs this program. What is there already stays.
    func make() throws(DeskError) {
        for (name, mode) in [(path, Self.folderMode), (path(of: Self.queue), Self.queueMode)] {
            guard mkdir(name, mode) == 0 || errno == EEXIST else { throw .system(SystemError("make the folder \(name)", errno)) }
            // The process's mask may have taken something away; a folder that is empty is nobody's secret yet.
            do throws(SystemError) {
                let folder = try FileDescriptor(path: name, flags: O_RDONLY | O_DIRECTORY)
                if try folder.names(withHidden: true).allSatisfy({ $0 == Self.queue }) { try folder.setMode(mode) }
            } catch {
                throw .system(error)
            }
        }
        try check()
    }

    /// Refuses a folder that others may read or change.
    func check() throws(DeskError) {
        let found: Exposure?
        do throws(SystemError) { found = try FileDescriptor(path: path, flags: O_RDONLY | O_DIRECTORY).exposure() } catch { throw .system(error) }
        switch found {
        case nil: return
        case .mode(let mode)? where mode & 0o067 == 0: return
        case let exposure?: throw .folderExposed(path: path, exposure)
        }
    }

    /// The key of the issuer, made now if it is not there. No key is ever written over.
    func keyMadeOnce() throws(DeskError) {
        if !has(Self.key) {
            let text: [UInt8]
            do throws(CryptographyError) { text = try KeyFile(role: .tokenIssuer, making: .sign).text() } catch { throw .cryptography(error) }
            do throws(SystemError) { try SmallFile.make(path(of: Self.key), text, mode: 0o600) } catch { throw .system(error) }
        }
        let text: [UInt8]
        let key = try self.key()
        do throws(CryptographyError) { text = try key.publicFile.text() } catch { throw .cryptography(error) }
        do throws(SystemError) { try SmallFile.replace(path(of: Self.publicKey), with: text, mode: 0o644) } catch { throw .system(error) }
    }

    /// The key file of the issuer.
    func key() throws(DeskError) -> KeyFile {
        let path = path(of: Self.key)
        let read: (bytes: [UInt8], exposure: Exposure?)
        do throws(SystemError) { read = try SmallFile.readPrivate(path, limit: KeyFile.longest + 1) } catch { throw .system(error) }
        if let exposure = read.exposure { throw .keyExposed(path: path, exposure) }
        let file: KeyFile
        do throws(KeyFileError) { file = try KeyFile(parsing: read.bytes) } catch { throw .key(path: path, error) }
        guard file.role == .tokenIssuer, file.signingKey != nil else { throw .key(path: path, .role) }
        return file
    }

    /// The queue as it was written last; nil: none that can be read.
    func queue() -> RevokedQueue? {
        guard let bytes = try? SmallFile.read(path(of: Self.queueFile), limit: RevokedQueue.longest) else { return nil }
        return RevokedQueue(json: bytes)
    }

    /// Writes the queue for the office, whole.
    func write(_ queue: RevokedQueue) throws(DeskError) {
        let path = path(of: Self.queueFile)
        do throws(SystemError) { try SmallFile.replace(path, with: queue.json.canonical + [0x0A], mode: Self.queueFileMode) } catch { throw .system(error) }
    }

    /// An empty file for our eyes only, where there is none; SQLite gives its mode to the files it makes beside it.
    func makeEmpty(_ name: String) throws(DeskError) {
        do throws(SystemError) {
            let file = try FileDescriptor(path: path(of: name), flags: O_RDWR | O_CREAT, mode: 0o600)
            try file.sync()
            try SmallFile.synchroniseFolder(of: path(of: name))
        } catch {
            throw .system(error)
        }
    }
}
