// NAME: a player for gridsage. Build it with make; try it: gridsage agents check ./NAME
//
// C++ has no JSON, so the first line we print is "plain": from then on every message is some lines
// "key value" and an empty line, in both directions.
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <vector>

// The lines of one message; a key such as "legal" or "board" may come several times.
using Message = std::multimap<std::string, std::string>;

static bool read_message(Message &message) {
    message.clear();
    std::string line;
    while (std::getline(std::cin, line) && !line.empty()) {
        const auto space = line.find(' ');
        message.emplace(line.substr(0, space), space == std::string::npos ? "" : line.substr(space + 1));
    }
    return !message.empty();
}

static std::string value(const Message &message, const std::string &key) {
    const auto found = message.find(key);
    return found == message.end() ? "" : found->second;
}

// Return the action to play. This is the part to make better: message has the lines "board" (what a
// person sees), "observation..." (the same as data) and "legal" (a number and its label).
static int choose(const Message &message, std::mt19937_64 &chance) {
    std::vector<int> legal;
    const auto [first, last] = message.equal_range("legal");
    for (auto each = first; each != last; ++each) legal.push_back(std::stoi(each->second));
    return legal[chance() % legal.size()];
}

int main() {
    std::mt19937_64 chance;
    Message message;
    std::string json;
    std::cout << "plain" << std::endl;  // endl, not '\n': every message leaves at once
    std::getline(std::cin, json);       // the first message comes as JSON, and once more as plain lines
    while (read_message(message)) {
        const std::string type = value(message, "type");
        if (type == "begin") {
            chance.seed(std::stoull(value(message, "seed")));  // our own seed: games repeat exactly
            std::cout << "type ready\nname NAME\n" << std::endl;
        } else if (type == "turn") {
            std::cout << "type act\nturn " << value(message, "turn") << "\naction " << choose(message, chance) << "\n"
                      << std::endl;
        } else {
            break;
        }
    }
}  // notes to std::cerr are kept with the game: gridsage replay ID --log
