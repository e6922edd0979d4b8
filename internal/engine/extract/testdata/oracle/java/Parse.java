// Parse parses sources: a JSON list of strings a line from stdin, of which one must be Java.
// It prints one JSON string a line: an error of javac's parser, or "" if it reads one of them.
import com.sun.source.util.JavacTask;
import java.io.*;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.*;
import javax.tools.*;

public class Parse {
    public static void main(String[] args) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false, StandardCharsets.UTF_8);
        for (String line; (line = in.readLine()) != null; ) {
            String error = "";
            for (String source : strings(line)) {
                error = errors(compiler, source);
                if (error.isEmpty()) break;
            }
            out.println('"' + error.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", " ") + '"');
        }
        out.flush();
    }

    static String errors(JavaCompiler compiler, String source) throws IOException {
        JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///A.java"), JavaFileObject.Kind.SOURCE) {
            @Override public CharSequence getCharContent(boolean ignore) { return source; }
        };
        String[] error = {""};
        JavacTask task = (JavacTask) compiler.getTask(null, null, d -> {
            if (d.getKind() == Diagnostic.Kind.ERROR) error[0] = d.getMessage(Locale.ROOT);
        }, List.of("-proc:none"), null, List.of(file));
        task.parse().iterator().next();
        return error[0];
    }

    // strings reads a JSON list of strings.
    static List<String> strings(String json) {
        List<String> list = new ArrayList<>();
        StringBuilder now = null;
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (now == null) {
                if (c == '"') now = new StringBuilder();
            } else if (c == '"') {
                list.add(now.toString());
                now = null;
            } else if (c != '\\') {
                now.append(c);
            } else {
                switch (c = json.charAt(++i)) {
                    case 'u' -> { now.append((char) Integer.parseInt(json.substring(i + 1, i + 5), 16)); i += 4; }
                    case 'n' -> now.append('\n');
                    case 't' -> now.append('\t');
                    case 'r' -> now.append('\r');
                    case 'b' -> now.append('\b');
                    case 'f' -> now.append('\f');
                    default -> now.append(c);
                }
            }
        }
        return list;
    }
}
