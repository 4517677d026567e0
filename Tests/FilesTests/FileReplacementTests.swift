import Foundation
import Testing
import Threads
@testable import Files

/// What somebody else may have laid into a folder that he may write to, before root writes a file there.
@Suite("Files on their way to their names (S6)", .serialized)
struct FileReplacementTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() } }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: folder.file(name))[.posixPermissions] as? Int
    }

    @Test("A link with the name that was predictable leads nowhere, and a file with it becomes nobody's key", arguments: [true, false])
    func planted(mayBeUnnamed: Bool) throws {
        try SmallFile.make(folder.file("precious"), [9], mode: 0o600)
        try #require(symlink(folder.file("precious"), folder.file("a.new")) == 0)
        try SmallFile.make(folder.file("b.new"), [7], mode: 0o644)
        for name in ["a", "b"] {
            let file = try FileReplacement(of: folder.file(name), mode: 0o600, mayBeUnnamed: mayBeUnnamed)
            try file.write([1, 2])
            try file.finish()
            #expect(try SmallFile.read(folder.file(name)) == [1, 2] && mode(name) == 0o600)
        }
        #expect(try SmallFile.read(folder.file("precious")) == [9] && SmallFile.read(folder.file("b.new")) == [7])
        #expect(try names == ["a", "a.new", "b", "b.new", "precious"])
    }

    @Test("A link in the place of the file is replaced, and what it leads to is left as it is")
    func linked() throws {
        try SmallFile.make(folder.file("precious"), [9], mode: 0o600)
        try #require(symlink("precious", folder.file("a")) == 0)
        try SmallFile.replace(folder.file("a"), with: [1])
        #expect(try SmallFile.read(folder.file("a")) == [1] && SmallFile.read(folder.file("precious")) == [9])
    }

    @Test("Until it is whole nothing is there, and nothing stays of what was not finished", arguments: [true, false])
    func unfinished(mayBeUnnamed: Bool) throws {
        try SmallFile.make(folder.file("a"), [9], mode: 0o600)
        do {
            let file = try FileReplacement(of: folder.file("a"), mode: 0o600, mayBeUnnamed: mayBeUnnamed)
            try file.write([1])
            #expect(try SmallFile.read(folder.file("a")) == [9] && names.count == (mayBeUnnamed ? 1 : 2))
        }
        #expect(try names == ["a"] && SmallFile.read(folder.file("a")) == [9])
    }

    @Test("A name that was taken meanwhile is somebody else's: a new key replaces nothing", arguments: [true, false])
    func taken(mayBeUnnamed: Bool) throws {
        let file = try FileReplacement(of: folder.file("a"), mode: 0o600, mayBeUnnamed: mayBeUnnamed)
        try file.write([1])
        try #require(symlink("nowhere", folder.file("a")) == 0)
        #expect(throws: SystemError("write \(folder.file("a"))", EEXIST)) { try file.finish(replacing: false) }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("a")) == "nowhere")
        #expect(throws: SystemError("write \(folder.file("a"))", EEXIST)) { try SmallFile.make(folder.file("a"), [1], mode: 0o600) }
        let other = try FileReplacement(of: folder.file("b"), mode: 0o600, mayBeUnnamed: mayBeUnnamed)
        try other.finish(replacing: false)
        #expect(try SmallFile.read(folder.file("b")) == [])
    }

    @Test("The contents may decide the name")
    func renamed() throws {
        let file = try FileReplacement(of: folder.file("a"), mode: 0o644)
        try file.write([1])
        try file.finish(as: "b")
        #expect(try names == ["b"] && SmallFile.read(folder.file("b")) == [1])
    }

    @Test("A file without a name is its owner's, and nowhere in the folder")
    func nameless() throws {
        let file = try FileReplacement.withoutName(beside: folder.file("a"))
        try file.write([1, 2, 3])
        #expect(try file.read(count: 3, at: 0) == [1, 2, 3] && names == [])
    }

    @Test("A link to a device is no more replaced than the device is: /dev/stdout is such a link")
    func device() throws {
        for target in ["/dev/null", "/proc/self/fd"] {
            try #require(symlink(target, folder.file("out")) == 0)
            #expect(throws: SystemError("replace \(folder.file("out"))", EEXIST)) { try SmallFile.replace(folder.file("out"), with: [1]) }
            try #require(unlink(folder.file("out")) == 0)
        }
    }

    @Test("A folder that is not there is named with the file")
    func missing() {
        #expect(throws: SystemError("write \(folder.file("none"))/a", ENOENT)) { try SmallFile.replace("\(folder.file("none"))/a", with: [1]) }
    }
}
