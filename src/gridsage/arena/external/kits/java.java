// NAME: a player for gridsage. Build it with make; try it: gridsage agents check 'sh ./run.sh'
//
// Java's library has no JSON, so the first line we print is "plain": from then on every message is
// some lines "key value" and an empty line, in both directions.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

public class NAME {
    static final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    static Random chance = new Random(0);

    /** The lines of one message by key; "legal" and "board" have several. Null at the end of the input. */
    static Map<String, List<String>> readMessage() throws IOException {
        Map<String, List<String>> message = new HashMap<>();
        String line;
        while ((line = in.readLine()) != null && !line.isEmpty()) {
            int space = line.indexOf(' ');
            String key = space < 0 ? line : line.substring(0, space);
            String value = space < 0 ? "" : line.substring(space + 1);
            message.computeIfAbsent(key, unused -> new ArrayList<>()).add(value);
        }
        return message.isEmpty() ? null : message;
    }

    /** Return the action to play. This is the part to make better. */
    static String choose(Map<String, List<String>> turn) {
        List<String> legal = turn.get("legal"); // "3 left": a number and its label
        return legal.get(chance.nextInt(legal.size())).split(" ")[0];
    }

    static void say(String... lines) {
        System.out.print(String.join("\n", lines) + "\n\n");
        System.out.flush();
    }

    public static void main(String[] args) throws IOException {
        System.out.println("plain");
        in.readLine(); // the first message comes as JSON, and once more as plain lines
        for (Map<String, List<String>> message; (message = readMessage()) != null; ) {
            switch (message.get("type").get(0)) {
                case "begin" -> {
                    chance = new Random(Long.parseUnsignedLong(message.get("seed").get(0)));
                    say("type ready", "name NAME");
                }
                case "turn" -> say("type act", "turn " + message.get("turn").get(0), "action " + choose(message));
                default -> System.exit(0);
            }
        }
    } // notes to System.err are kept with the game: gridsage replay ID --log
}
