/// Takes several lines at once and finds those that are asked for twice.
enum LineOpening {
    /// - Parameters:
    ///   - taken: the lines that are ours already.
    ///   - looking: whether to look at the level of outputs first.
    /// - Returns: each request's line or why it could not be had.
    static func open(_ requests: [LineRequest], besides taken: Set<LineSeat>, looking: Bool) -> [LineName: Result<HeldLine, LineError>] {
        var opened: [LineName: Result<HeldLine, LineError>] = [:]
        var found: [(request: LineRequest, place: LineSearch)] = []
        for request in requests {
            do throws(LineError) {
                found.append((request, try LineSearch(request)))
            } catch {
                opened[request.name] = .failure(error)
            }
        }
        let uses = Dictionary(grouping: found, by: \.place.seat).mapValues(\.count)
        for (request, place) in found {
            // Which of the two was meant cannot be known, so none of them is opened.
            let isShared = uses[place.seat, default: 0] > 1 || taken.contains(place.seat)
            opened[request.name] = isShared ? .failure(.requestedTwice(name: request.name)) : take(request, place, looking)
        }
        return opened
    }

    private static func take(_ request: LineRequest, _ place: LineSearch, _ looking: Bool) -> Result<HeldLine, LineError> {
        do throws(LineError) {
            return .success(try HeldLine(request, found: place, looking: looking))
        } catch {
            return .failure(error)
        }
    }
}
