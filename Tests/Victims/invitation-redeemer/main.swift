import Cryptography
import Encoding
import Glibc
import InvitationDesk
import Invitations
import Threads

// Redeems the requests of a file, one a line, at the server in a folder, on four threads; says each answer on its output, one line each, and
// "done" at the end. InvitationCrashTests kill it.

func write(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}

/// The time of the requests, 2026-11-25T12:00:00Z.
let now: Int64 = 1_795_608_000
let threads = 4

func redeem(_ line: [UInt8], number: Int, at desk: InvitationDesk) {
    do throws(InvitationFault) {
        let access = try desk.redeem(RedeemRequest(json: line), now: now)
        write("told \(number) \(Hex.encode(SHA256.hash(access.token)))")
    } catch {
        write("refused \(number) \(error.code)")
    }
}

func readLines(_ path: String) -> [[UInt8]] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return bytes.split(separator: 0x0A).map(Array.init)
}

do {
    let desk = try InvitationDesk.open(folder: CommandLine.arguments[1])
    let lines = readLines(CommandLine.arguments[2])
    let workers = try (0..<threads).map { first in
        try Worker(name: "redeem-\(first)") {
            for number in stride(from: first, to: lines.count, by: threads) { redeem(lines[number], number: number, at: desk) }
        }
    }
    for worker in workers { _ = worker.ends(byMonotonicMilliseconds: MonotonicTime.milliseconds + 60_000) }
    write("done")
} catch {
    write("failed \(error)")
    exit(1)
}
