import CommandLineOptions
import Glibc

/// Lines on a screen, a page at a time: a console keeps nothing of what has scrolled away.
struct ShownPages {
    /// How many rows a page has; nil: nobody turns pages here.
    private let height: Int?
    /// How many columns a row has.
    private let width: Int

    private static let usualHeight = 24
    private static let usualWidth = 80
    /// Below these nothing would be left of a page.
    private static let leastHeight = 4
    private static let leastWidth = 20

    init() {
        var size = winsize()
        let isScreen = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        let isKnown = isScreen && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
        let rows = isKnown && size.ws_row > 0 ? Int(size.ws_row) : Self.usualHeight
        height = isScreen ? max(Self.leastHeight, rows) - 1 : nil
        width = isKnown && size.ws_col > 0 ? max(Self.leastWidth, Int(size.ws_col)) : Self.usualWidth
    }

    /// How many rows a line fills: a screen breaks what is longer than one. Characters of the far east take two columns; whoever counts some others so
    /// has a page that is shorter than the screen.
    private func rows(_ line: String) -> Int {
        let columns = line.unicodeScalars.reduce(0) { $0 + ($1.value < 0x1100 ? 1 : 2) }
        return max(1, (columns + width - 1) / width)
    }

    /// Whether these lines, and the question behind them, are more than one page.
    func isLong(_ lines: [String]) -> Bool { lines.reduce(1) { $0 + rows($1) } > height ?? Self.usualHeight }

    /// Shows all of it.
    /// - Returns: false if somebody ended it before the last page: only an empty line goes on, so that nobody says yes to what he has not seen.
    func show(_ lines: [String]) -> Bool {
        var used = 0
        for (place, line) in lines.enumerated() {
            if let height, place > 0, used + rows(line) > height {
                StandardStream.output.write(line: "-- \(lines.count - place) more lines: Enter shows them, anything else ends this --")
                guard readLine() == "" else { return false }
                used = 0
            }
            StandardStream.output.write(line: line)
            used += rows(line)
        }
        return true
    }
}
