import CommandLineOptions
import Glibc

/// Lines on a screen, a page at a time: a console keeps nothing of what has scrolled away.
struct ShownPages {
    /// How many lines a page has; nil: nobody turns pages here.
    private let height: Int?

    private static let usualHeight = 24
    /// Below these nothing would be left of a page.
    private static let leastHeight = 4

    init() {
        var size = winsize()
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            height = nil
            return
        }
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_row > 0
        height = max(Self.leastHeight, isKnown ? Int(size.ws_row) : Self.usualHeight) - 1
    }

    /// Whether so many lines are more than one page.
    func isLong(_ count: Int) -> Bool { count > height ?? Self.usualHeight }

    /// Shows all of it.
    /// - Returns: false if somebody ended it before the last page: only an empty line goes on, so that nobody says yes to what he has not seen.
    func show(_ lines: [String]) -> Bool {
        for (place, line) in lines.enumerated() {
            if let height, place > 0, place % height == 0 {
                StandardStream.output.write(line: "-- \(lines.count - place) more lines: Enter shows them, anything else ends this --")
                guard readLine() == "" else { return false }
            }
            StandardStream.output.write(line: line)
        }
        return true
    }
}
