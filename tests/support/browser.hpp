// SPDX-License-Identifier: Apache-2.0
// Headless Chromium, driven through its debugging pipe: commands are JSON with a zero byte behind, on its descriptor 3;
// answers and events come back on 4. No port is opened.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace bittwin::test {

class browser {
 public:
  using json = nlohmann::json;

  /// The program, from PATH; empty: there is none.
  static std::string find() {
    const char* const path = std::getenv("PATH");
    std::string folders = path == nullptr ? "" : path;
    for (std::size_t at = 0; at <= folders.size();) {
      const std::size_t end = std::min(folders.find(':', at), folders.size());
      for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
        const std::filesystem::path file =
            std::filesystem::path(folders.substr(at, end - at)) / name;
        if (access(file.c_str(), X_OK) == 0) return file.string();
      }
      at = end + 1;
    }
    return {};
  }

  /// profile  an empty folder that it may fill
  browser(const std::string& program, const std::filesystem::path& profile) {
    int commands[2], answers[2];
    signal(SIGPIPE, SIG_IGN);  // a browser that ends is a failed test, not the end of this program
    if (pipe2(commands, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0)
      throw std::runtime_error("no pipe");
    // Out of the way first: a pipe's own number may be 3 or 4.
    const int read_end = fcntl(commands[0], F_DUPFD_CLOEXEC, 10);
    const int write_end = fcntl(answers[1], F_DUPFD_CLOEXEC, 10);
    close(commands[0]);
    close(answers[1]);
    to_.number = fcntl(commands[1], F_DUPFD_CLOEXEC, 10);
    from_.number = fcntl(answers[0], F_DUPFD_CLOEXEC, 10);
    close(commands[1]);
    close(answers[0]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, read_end, 3);
    posix_spawn_file_actions_adddup2(&actions, write_end, 4);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<std::string> words{program,
                                   "--headless",
                                   "--no-sandbox",
                                   "--disable-gpu",
                                   "--disable-dev-shm-usage",
                                   "--no-first-run",
                                   "--remote-debugging-pipe",
                                   "--user-data-dir=" + profile.string(),
                                   "about:blank"};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int failure = posix_spawn(&process_.leader, program.c_str(), &actions, &attributes,
                                    arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(read_end);
    close(write_end);
    if (failure != 0) throw std::runtime_error("the browser does not start");
    std::string target;
    while (target.empty()) {
      const json open = call("Target.getTargets");
      for (const json& t : open["targetInfos"])
        if (t["type"] == "page") target = t["targetId"];
    }
    session_ =
        call("Target.attachToTarget", {{"targetId", target}, {"flatten", true}})["sessionId"];
    for (const char* domain : {"Page", "Runtime", "Log", "Network"})
      call(std::string(domain) + ".enable");
  }
  browser(const browser&) = delete;
  browser& operator=(const browser&) = delete;
  json call(const std::string& method, const json& parameters = json::object()) {
    json command{{"id", ++last_}, {"method", method}, {"params", parameters}};
    if (!session_.empty()) command["sessionId"] = session_;
    const std::string text = command.dump();
    if (write(to_.number, text.c_str(), text.size() + 1) != static_cast<ssize_t>(text.size() + 1))
      throw std::runtime_error("the browser takes no command");
    for (;;) {
      const json answer = next();
      if (answer.value("id", 0) != last_) continue;
      if (answer.contains("error"))
        throw std::runtime_error(method + ": " + answer["error"].dump());
      return answer["result"];
    }
  }

  /// Returns when the page is loaded and its script has run.
  void open(const std::string& address) {
    loaded_ = false;
    const json answer = call("Page.navigate", {{"url", address}});
    if (answer.contains("errorText")) throw std::runtime_error(address + ": " + answer.dump());
    while (!loaded_) next();
  }

  json evaluate(const std::string& expression) {
    const json answer =
        call("Runtime.evaluate",
             {{"expression", expression}, {"returnByValue", true}, {"awaitPromise", true}});
    if (answer.contains("exceptionDetails"))
      throw std::runtime_error(expression + ": " + answer["exceptionDetails"].dump());
    return answer["result"].value("value", json());
  }

  /// key  as KeyboardEvent.key names it; code  its virtual key of Windows, which Chromium goes by
  void press(const std::string& key, int code) {
    json event{{"type", "keyDown"}, {"key", key}, {"code", key}, {"windowsVirtualKeyCode", code}};
    if (key == "Enter") event["text"] = "\r";
    call("Input.dispatchKeyEvent", event);
    event["type"] = "keyUp";
    event.erase("text");
    call("Input.dispatchKeyEvent", event);
  }

  std::vector<std::string> complaints;  ///< of the console, exceptions, what a policy blocked
  std::vector<std::string> requests;    ///< addresses, data: left out

 private:
  json next() {
    for (;;) {
      if (const std::size_t end = buffer_.find('\0'); end != std::string::npos) {
        json message = json::parse(buffer_.substr(0, end));
        buffer_.erase(0, end + 1);
        note(message);
        return message;
      }
      pollfd ready{from_.number, POLLIN, 0};
      constexpr int patience = 120'000;  // ms; the machine may be busy
      if (poll(&ready, 1, patience) != 1) throw std::runtime_error("the browser does not answer");
      char bytes[65536];
      const ssize_t read_bytes = read(from_.number, bytes, sizeof bytes);
      if (read_bytes <= 0) throw std::runtime_error("the browser has ended");
      buffer_.append(bytes, static_cast<std::size_t>(read_bytes));
    }
  }

  void note(const json& message) {
    const std::string method = message.value("method", "");
    if (method == "Page.loadEventFired") loaded_ = true;
    if (method == "Runtime.exceptionThrown" || method == "Runtime.consoleAPICalled" ||
        method == "Log.entryAdded")
      complaints.push_back(message["params"].dump());
    if (method == "Network.requestWillBeSent") {
      const std::string address = message["params"]["request"]["url"];
      if (!address.starts_with("data:")) requests.push_back(address);
    }
  }

  /// Closed and ended even where the constructor fails half-way.
  struct descriptor {
    int number = -1;
    ~descriptor() {
      if (number >= 0) close(number);
    }
  };
  struct process_group {
    pid_t leader = 0;
    ~process_group() {
      if (leader <= 0) return;
      kill(-leader, SIGKILL);  // with the programs that it started
      waitpid(leader, nullptr, 0);
    }
  };

  descriptor to_, from_;
  process_group process_;
  int last_ = 0;
  bool loaded_ = false;
  std::string session_, buffer_;
};

}  // namespace bittwin::test
