import Encoding

/// The days of one kind of holiday, so that one can ask about a day quickly.
struct DaySet: Sendable {
    /// Days since 1970, in order; no two touch.
    let spans: [ClosedRange<Int64>]
    /// Months and days, as 100 × month + day.
    private let yearly: Set<Int64>

    init(_ dates: [HolidayDate]) {
        var yearly: Set<Int64> = []
        var spans: [ClosedRange<Int64>] = []
        for date in dates {
            switch date {
            case .days(let first, let last): spans.append(first.daysSince1970...max(first.daysSince1970, last.daysSince1970))
            case .yearly(let month, let day): yearly.insert(100 * month + day)
            }
        }
        self.yearly = yearly
        self.spans = Self.merged(spans)
    }

    func contains(day: Int64, date: CivilDate) -> Bool {
        yearly.contains(100 * date.month + date.day) || isInSpan(day)
    }

    private func isInSpan(_ day: Int64) -> Bool {
        var low = 0
        var high = spans.count
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].upperBound < day { low = middle + 1 } else { high = middle }
        }
        return low < spans.count && spans[low].contains(day)
    }

    private static func merged(_ spans: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        var merged: [ClosedRange<Int64>] = []
        for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, span.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, span.upperBound)
            } else {
                merged.append(span)
            }
        }
        return merged
    }
}
