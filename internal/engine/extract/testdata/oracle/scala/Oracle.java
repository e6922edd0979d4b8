// Oracle prints the declarations of Scala files as Scalameta's parser sees them, one
// JSON object a line. It exists to check ken's extractor and shares nothing with it.
//
//	mvn -q -f pom.xml dependency:copy-dependencies -DoutputDirectory=DIR
//	java -Xss64m -cp 'DIR/*' Oracle.java < list-of-files
//
// A line is {"path","kind","name","qualified","start","end","line","end_line","name_start"}, with byte
// offsets and 1-based lines; a file the parser refuses in Scala 2.13 and in Scala 3 gives one {"path","error":true}.
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import scala.meta.*;
import scala.meta.Tree;
import scala.meta.inputs.Input;
import scala.meta.parsers.Parse$;
import scala.meta.parsers.Parsed;

public class Oracle {
    static final PrintStream out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 20), false, StandardCharsets.UTF_8);

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Dialect[] dialects = {
            scala.meta.dialects.package$.MODULE$.Scala213(), scala.meta.dialects.package$.MODULE$.Scala3(), scala.meta.dialects.package$.MODULE$.Scala213Source3()
        };
        for (String path; (path = in.readLine()) != null; ) {
            byte[] raw = Files.readAllBytes(Path.of(path));
            String text = new String(raw, StandardCharsets.UTF_8);
            Tree tree = null;
            if (Arrays.equals(raw, text.getBytes(StandardCharsets.UTF_8)) && text.indexOf('\r') < 0 && !text.startsWith("\uFEFF")) {
                for (int i = 0; i < dialects.length && tree == null; i++) tree = parse(text, dialects[i]);
            }
            if (tree == null) {
                out.println("{\"path\":" + quote(path) + ",\"error\":true}");
                continue;
            }
            new Printer(path, text).children(tree, false);
        }
        out.flush();
    }

    static Tree parse(String text, Dialect dialect) {
        try {
            Parsed<Source> parsed = Parse$.MODULE$.parseSource().apply(new Input.String(text), dialect);
            return parsed.toOption().isEmpty() ? null : (Tree) parsed.toOption().get();
        } catch (RuntimeException | StackOverflowError e) {
            return null;
        }
    }

    static String quote(String s) {
        StringBuilder b = new StringBuilder("\"");
        for (char c : s.toCharArray()) {
            if (c == '"' || c == '\\') b.append('\\').append(c);
            else if (c < 0x20) b.append(String.format("\\u%04x", (int) c));
            else b.append(c);
        }
        return b.append('"').toString();
    }

    static <T> List<T> list(scala.collection.Iterable<T> from) {
        List<T> to = new ArrayList<>();
        for (var it = from.iterator(); it.hasNext(); ) to.add(it.next());
        return to;
    }

    static class Printer {
        final String path, text;
        final int[] bytes, lines; // byte offset and line of each UTF-16 unit
        final Deque<String> names = new ArrayDeque<>();

        Printer(String path, String text) {
            this.path = path;
            this.text = text;
            bytes = new int[text.length() + 1];
            lines = new int[text.length() + 1];
            lines[0] = 1;
            for (int i = 0, b = 0; i < text.length(); i++) {
                bytes[i] = b;
                char c = text.charAt(i);
                b += c < 0x80 ? 1 : c < 0x800 ? 2 : Character.isSurrogate(c) ? 2 : 3;
                bytes[i + 1] = b;
                lines[i + 1] = lines[i] + (c == '\n' ? 1 : 0);
            }
        }

        void children(Tree t, boolean inBody) {
            for (Tree c : list(t.children())) visit(c, inBody);
        }

        /** Where a declaration begins behind the annotations in front of it. */
        int start(Tree d) {
            int at = d.pos().start();
            for (Tree c : list(d.children())) {
                if (c instanceof Mod.Annot && blank(at, c.pos().start())) at = c.pos().end();
            }
            return at == d.pos().start() ? at : code(at);
        }

        boolean blank(int from, int to) { return code(from) >= to; }

        /** The first place from i on that is neither blank nor comment. */
        int code(int i) {
            for (int depth = 0; i < text.length(); i++) {
                if (text.startsWith("/*", i)) {
                    depth++;
                    i++;
                } else if (depth > 0 && text.startsWith("*/", i)) {
                    depth--;
                    i++;
                } else if (depth == 0 && text.startsWith("//", i)) {
                    while (i < text.length() && text.charAt(i) != '\n') i++;
                } else if (depth == 0 && !Character.isWhitespace(text.charAt(i))) return i;
            }
            return i;
        }

        void emit(String kind, String name, int s, int e, int n) {
            StringBuilder q = new StringBuilder();
            for (Iterator<String> it = names.descendingIterator(); it.hasNext(); ) q.append(it.next()).append('.');
            out.println("{\"path\":" + quote(path) + ",\"kind\":\"" + kind + "\",\"name\":" + quote(name) + ",\"qualified\":" + quote(q + name)
                + ",\"start\":" + bytes[s] + ",\"end\":" + bytes[e] + ",\"line\":" + lines[s] + ",\"end_line\":" + lines[Math.max(e - 1, s)]
                + ",\"name_start\":" + bytes[n] + "}");
        }

        /** A declaration whose parts count as a body. */
        void named(Tree d, String kind, String name, Tree id) {
            emit(kind, name, start(d), d.pos().end(), id.pos().start());
            names.push(name);
            children(d, true);
            names.pop();
        }

        void type(Tree d, String kind, Name name, int start, boolean isCase, Ctor.Primary ctor, Template body) {
            emit(kind, name.value(), start, d.pos().end(), name.pos().start());
            names.push(name.value());
            if (ctor != null) {
                for (Term.ParamClause clause : list(ctor.paramClauses())) {
                    for (Term.Param p : list(clause.values())) parameter(p, isCase);
                    isCase = false;
                }
            }
            if (body != null) template(body, false);
            names.pop();
        }

        void template(Template t, boolean inBody) {
            for (Init i : list(t.inits())) visit(i, true);
            for (Stat s : list(t.stats())) visit(s, inBody);
        }

        void parameter(Term.Param p, boolean isField) {
            int start = -1;
            for (Mod m : list(p.mods())) {
                isField |= m instanceof Mod.ValParam || m instanceof Mod.VarParam;
                if (m instanceof Mod.Annot || m instanceof Mod.Implicit || m instanceof Mod.Using || m.pos().start() == m.pos().end()) continue;
                if (start < 0 || m.pos().start() < start) start = m.pos().start();
            }
            if (isField) {
                emit("field", p.name().value(), start < 0 ? p.name().pos().start() : start, p.pos().end(), p.name().pos().start());
                names.push(p.name().value());
            }
            children(p, true);
            if (isField) names.pop();
        }

        void vars(Tree p, List<Name> found) {
            if (p instanceof Pat.Var v) found.add(v.name());
            else for (Tree c : list(p.children())) vars(c, found);
        }

        void values(Tree d, scala.collection.Iterable<Pat> pats, boolean inBody) {
            List<Name> found = new ArrayList<>();
            for (Pat p : list(pats)) vars(p, found);
            if (inBody) {
                children(d, true);
                return;
            }
            String kind = names.isEmpty() ? "variable" : "field";
            if (found.size() == 1) {
                named(d, kind, found.get(0).value(), found.get(0));
                return;
            }
            for (Name n : found) emit(kind, n.value(), n.pos().start(), n.pos().end(), n.pos().start());
            children(d, true);
        }

        void function(Tree d, Name name, boolean inBody) {
            named(d, !inBody && (!names.isEmpty() || extension) ? "method" : "function", name.value(), name);
        }

        boolean extension;

        void given(Tree d, Name name, boolean inBody) {
            if (inBody || name.value().isEmpty()) children(d, true);
            else named(d, names.isEmpty() ? "variable" : "field", name.value(), name);
        }

        void visit(Tree t, boolean inBody) {
            if (t instanceof Defn.Class d) type(d, "class", d.name(), start(d), list(d.mods()).stream().anyMatch(m -> m instanceof Mod.Case), d.ctor(), d.templ());
            else if (t instanceof Defn.Object d) type(d, "class", d.name(), start(d), false, null, d.templ());
            else if (t instanceof Pkg.Object d) type(d, "class", d.name(), start(d), false, null, d.templ());
            else if (t instanceof Defn.Trait d) type(d, "trait", d.name(), start(d), false, d.ctor(), d.templ());
            else if (t instanceof Defn.Enum d) type(d, "enum", d.name(), start(d), false, d.ctor(), d.templ());
            else if (t instanceof Defn.EnumCase d) {
                type(d, "enum_member", d.name(), d.name().pos().start(), true, d.ctor(), null);
                for (Init i : list(d.inits())) visit(i, true);
            } else if (t instanceof Defn.RepeatedEnumCase d) {
                for (Term.Name n : list(d.cases())) emit("enum_member", n.value(), n.pos().start(), n.pos().end(), n.pos().start());
            } else if (t instanceof Ctor.Secondary d) {
                if (!names.isEmpty()) named(d, "constructor", names.peek(), d.name());
            } else if (t instanceof Defn.Def d) function(d, d.name(), inBody);
            else if (t instanceof Decl.Def d) function(d, d.name(), inBody);
            else if (t instanceof Defn.Macro d) function(d, d.name(), inBody);
            else if (t instanceof Defn.Val d) values(d, d.pats(), inBody);
            else if (t instanceof Defn.Var d) values(d, d.pats(), inBody);
            else if (t instanceof Decl.Val d) values(d, d.pats(), inBody);
            else if (t instanceof Decl.Var d) values(d, d.pats(), inBody);
            else if (t instanceof Defn.Type d) named(d, "type", d.name().value(), d.name());
            else if (t instanceof Decl.Type d) named(d, "type", d.name().value(), d.name());
            else if (t instanceof Defn.Given d) given(d, d.name(), inBody);
            else if (t instanceof Defn.GivenAlias d) given(d, d.name(), inBody);
            else if (t instanceof Decl.Given d) given(d, d.name(), inBody);
            else if (t instanceof Defn.ExtensionGroup d) {
                boolean saved = extension;
                extension = true;
                if (d.body() instanceof Term.Block b) for (Stat s : list(b.stats())) visit(s, inBody);
                else visit(d.body(), inBody);
                extension = saved;
            } else children(t, inBody || t instanceof Term);
        }
    }
}
