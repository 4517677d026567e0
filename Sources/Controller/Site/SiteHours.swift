import Gate
import Service
import SiteRules
import Storage
import Threads
import Vocabulary

/// The timetable of the site data in use: made anew when others are, and when the data of the site's zone change on the disk.
///
/// Whoever asks gets the rules of one publication with the zone that they name, whole.
///
/// Any thread may call. `renewing` comes before `publications`; the store is never asked under the second.
package final class SiteHours: Sendable {
    /// A timetable, and what it was made from.
    package final class Publication: Sendable {
        /// Counts the publications, as `TrustStore.generation` does.
        let generation: UInt64
        package let timetable: SiteTimetable
        /// Why the site's zone is missing.
        package let problem: TimeZoneFolderError?

        init(generation: UInt64, timetable: SiteTimetable, problem: TimeZoneFolderError?) {
            self.generation = generation
            self.timetable = timetable
            self.problem = problem
        }
    }

    /// The newest, and the one before for taps that an import overtook.
    private struct Publications {
        var newest: Publication
        var previous: Publication?

        func publication(of generation: UInt64) -> Publication? {
            if newest.generation == generation { return newest }
            return previous?.generation == generation ? previous : nil
        }

        mutating func add(_ publication: Publication) {
            if newest.generation != publication.generation { previous = newest }
            newest = publication
        }
    }

    /// Taken by taps and `status`: never while a file is read.
    private let publications: Mutex<Publications>
    /// Taken by those who read the zone's file, one after the other.
    private let renewing = Mutex(())
    private let source: @Sendable () -> (generation: UInt64, rules: SiteRules)
    private let folder: TimeZoneFolder
    private let log: Log

    /// - Parameter source: the rules in use and the count of their publication, both of the same one.
    package init(folder: TimeZoneFolder = TimeZoneFolder(), log: Log, source: @escaping @Sendable () -> (generation: UInt64, rules: SiteRules)) {
        self.source = source
        self.folder = folder
        self.log = log
        let first = Self.publication(of: source(), folder)
        publications = Mutex(Publications(newest: first, previous: nil))
        Self.report(first, log)
    }

    /// The rules that `trust` has in use.
    package convenience init(_ trust: TrustStore, log: Log) {
        self.init(log: log) {
            while true {
                let before = trust.generation
                let rules = trust.rules
                if trust.generation == before { return (before, rules) }
            }
        }
    }

    /// What counts now.
    package var current: Publication { publications.withLock { $0.newest } }

    /// The one of a publication that was in use when a tap looked somebody up; nil if two others have come since. A tap that is faster
    /// than the import it meets reads no file: it has the new rules with the zone that is in memory, if that is still theirs.
    package func publication(of generation: UInt64) -> Publication? {
        if let known = publications.withLock({ $0.publication(of: generation) }) { return known }
        let (newest, rules) = source()
        guard newest == generation else { return nil }
        let before = current.timetable
        let zone = before.rules.timeZone == rules.timeZone ? before.timeZone : nil
        return Publication(generation: generation, timetable: SiteTimetable(rules, timeZone: zone), problem: nil)
    }

    /// Whether a schedule that lets somebody in is in force by the rules of the publication of that count; no where nobody can say.
    package func isInForce(_ schedule: String, _ clock: ClockReading, in generation: UInt64) -> Bool {
        publication(of: generation)?.timetable.isInForce(schedule, at: SiteMoment(clock), for: .grants) ?? false
    }

    /// Takes what is in use now: after an import, a reload, and now and then for the zone's file. Answers whether anything is new.
    @discardableResult
    package func refresh() -> Bool {
        renewing.withLock { _ in
            let new = Self.publication(of: source(), folder)
            let old = publications.withLock { publications in
                defer { publications.add(new) }
                return publications.newest
            }
            if new.problem != old.problem || new.timetable.rules.timeZone != old.timetable.rules.timeZone { Self.report(new, log) }
            return old.generation != new.generation || old.timetable.timeZone != new.timetable.timeZone
        }
    }

    private static func publication(of source: (generation: UInt64, rules: SiteRules), _ folder: TimeZoneFolder) -> Publication {
        guard let name = source.rules.timeZone else {
            return Publication(generation: source.generation, timetable: SiteTimetable(source.rules, timeZone: nil), problem: nil)
        }
        do throws(TimeZoneFolderError) {
            let zone = try Loop.outside(.disk) { () throws(TimeZoneFolderError) in try folder.read(name) }
            return Publication(generation: source.generation, timetable: SiteTimetable(source.rules, timeZone: zone), problem: nil)
        } catch {
            return Publication(generation: source.generation, timetable: SiteTimetable(source.rules, timeZone: nil), problem: error)
        }
    }

    private static func report(_ publication: Publication, _ log: Log) {
        if let problem = publication.problem {
            log.error("\(problem.code): \(problem.message)")
        } else if let zone = publication.timetable.rules.timeZone {
            log.notice("schedules go by the clock of \(zone)")
        }
    }
}
