// Oracle prints the declarations of Java files as javac's own parser sees
// them, one JSON object a line. It exists to check ken's extractor and shares
// nothing with it.
//
//	java --add-exports jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED Oracle.java < list-of-files
//
// A line is {"path","kind","name","qualified","start","end","line","end_line","name_start"}, with byte
// offsets and 1-based lines; a file javac reports a syntax error in gives one {"path","error":true}.
import com.sun.source.tree.*;
import com.sun.source.util.*;
import com.sun.tools.javac.tree.JCTree;
import java.io.*;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.Modifier;
import javax.tools.*;

public class Oracle {
    static final PrintStream out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 20), false, StandardCharsets.UTF_8);

    public static void main(String[] args) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String path; (path = in.readLine()) != null; ) {
            byte[] raw = Files.readAllBytes(Path.of(path));
            String text = new String(raw, StandardCharsets.UTF_8);
            if (!Arrays.equals(raw, text.getBytes(StandardCharsets.UTF_8))) {
                out.println("{\"path\":" + quote(path) + ",\"error\":true}");
                continue;
            }
            JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///A.java"), JavaFileObject.Kind.SOURCE) {
                @Override public CharSequence getCharContent(boolean ignore) { return text; }
            };
            boolean[] failed = {false};
            JavacTask task = (JavacTask) compiler.getTask(null, null, d -> {
                if (d.getKind() == Diagnostic.Kind.ERROR) failed[0] = true;
            }, List.of("-proc:none"), null, List.of(file));
            CompilationUnitTree unit = task.parse().iterator().next();
            if (failed[0]) {
                out.println("{\"path\":" + quote(path) + ",\"error\":true}");
                continue;
            }
            new Printer(path, text, unit, Trees.instance(task).getSourcePositions()).scan(unit, null);
        }
        out.flush();
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

    static class Printer extends TreeScanner<Void, Void> {
        final String path, text;
        final CompilationUnitTree unit;
        final SourcePositions pos;
        final int[] bytes; // byte offset of each UTF-16 unit
        final Deque<String> names = new ArrayDeque<>();
        final Deque<ClassTree> classes = new ArrayDeque<>();

        Printer(String path, String text, CompilationUnitTree unit, SourcePositions pos) {
            this.path = path;
            this.text = text;
            this.unit = unit;
            this.pos = pos;
            bytes = new int[text.length() + 1];
            for (int i = 0, b = 0; i < text.length(); i++) {
                bytes[i] = b;
                char c = text.charAt(i);
                b += c < 0x80 ? 1 : c < 0x800 ? 2 : Character.isSurrogate(c) ? 2 : 3;
                bytes[i + 1] = b;
            }
        }

        int start(Tree t) { return (int) pos.getStartPosition(unit, t); }
        int end(Tree t) { return (int) pos.getEndPosition(unit, t); }

        /** The first token at or after i that is neither space nor comment. */
        int skip(int i) {
            for (; i < text.length(); ) {
                if (Character.isWhitespace(text.charAt(i))) i++;
                else if (text.startsWith("//", i)) while (i < text.length() && text.charAt(i) != '\n') i++;
                else if (text.startsWith("/*", i)) i = text.indexOf("*/", i + 2) + 2;
                else break;
            }
            return i;
        }

        /** Where the declaration starts once leading annotations are passed over. */
        int declStart(Tree t, ModifiersTree mods) {
            int s = start(t);
            if (mods != null && start(mods) >= 0) s = Math.min(s, start(mods));
            for (boolean again = true; again; ) {
                again = false;
                if (mods == null) break;
                for (AnnotationTree a : mods.getAnnotations()) {
                    if (start(a) == s) {
                        s = skip(end(a));
                        again = true;
                    }
                }
            }
            return s;
        }

        void emit(String kind, String name, int s, int e, int n) {
            StringBuilder q = new StringBuilder();
            for (Iterator<String> it = names.descendingIterator(); it.hasNext(); ) q.append(it.next()).append('.');
            LineMap lines = unit.getLineMap();
            out.println("{\"path\":" + quote(path) + ",\"kind\":\"" + kind + "\",\"name\":" + quote(name) + ",\"qualified\":" + quote(q + name)
                + ",\"start\":" + bytes[s] + ",\"end\":" + bytes[e] + ",\"line\":" + lines.getLineNumber(s) + ",\"end_line\":" + lines.getLineNumber(e - 1)
                + ",\"name_start\":" + bytes[n] + "}");
        }

        int findWord(String name, int from) {
            for (int i = from; (i = text.indexOf(name, i)) >= 0; i++) {
                if (!Character.isJavaIdentifierPart(text.charAt(i + name.length())) && !Character.isJavaIdentifierPart(text.charAt(i - 1))) return i;
            }
            return from;
        }

        @Override public Void visitClass(ClassTree t, Void v) {
            String name = t.getSimpleName().toString();
            if (name.isEmpty()) {
                classes.push(t);
                members(t);
                classes.pop();
                return null;
            }
            String kind = switch (t.getKind()) {
                case INTERFACE -> "interface";
                case ANNOTATION_TYPE -> "interface";
                case ENUM -> "enum";
                default -> "class";
            };
            int s = declStart(t, t.getModifiers());
            int from = s;
            // The name follows the keyword; annotations between modifiers may spell it too.
            for (AnnotationTree a : t.getModifiers().getAnnotations()) from = Math.max(from, end(a));
            emit(kind, name, s, end(t), findWord(name, from));
            names.push(name);
            classes.push(t);
            scan(t.getModifiers(), null);
            members(t);
            classes.pop();
            names.pop();
            return null;
        }

        /** Fields that share a declaration are told by sharing its start. */
        void members(ClassTree t) {
            List<? extends Tree> ms = t.getMembers();
            for (int i = 0; i < ms.size(); i++) {
                Tree m = ms.get(i);
                if (!(m instanceof VariableTree f)) {
                    scan(m, null);
                    continue;
                }
                JCTree.JCVariableDecl d = (JCTree.JCVariableDecl) f;
                boolean isEnum = (d.mods.flags & (1 << 14)) != 0;
                boolean shared = !isEnum && (sameStart(f, ms, i - 1) || sameStart(f, ms, i + 1));
                boolean component = (d.mods.flags & (1L << 61)) != 0;
                Set<Modifier> flags = f.getModifiers().getFlags();
                boolean iface = t.getKind() == Tree.Kind.INTERFACE || t.getKind() == Tree.Kind.ANNOTATION_TYPE;
                boolean constant = iface || flags.contains(Modifier.STATIC) && flags.contains(Modifier.FINAL);
                String kind = isEnum ? "enum_member" : constant ? "constant" : "field";
                int s = shared ? d.pos : declStart(f, f.getModifiers());
                int e = end(f);
                if (shared && text.charAt(e - 1) == ';') e--; // the last of several has the semicolon
                while (shared && (Character.isWhitespace(text.charAt(e - 1)))) e--;
                if (shared && text.charAt(e - 1) == ',') e--;
                emit(kind, f.getName().toString(), s, e, isEnum ? s : d.pos);
                names.push(f.getName().toString());
                if (f.getInitializer() != null) scan(f.getInitializer(), null);
                names.pop();
            }
        }

        boolean sameStart(VariableTree f, List<? extends Tree> ms, int j) {
            return j >= 0 && j < ms.size() && ms.get(j) instanceof VariableTree g && ((JCTree.JCVariableDecl) g).mods == ((JCTree.JCVariableDecl) f).mods;
        }

        @Override public Void visitMethod(MethodTree t, Void v) {
            JCTree.JCMethodDecl d = (JCTree.JCMethodDecl) t;
            boolean ctor = t.getReturnType() == null && t.getName().contentEquals("<init>");
            String name = ctor ? classes.peek().getSimpleName().toString() : t.getName().toString();
            emit(ctor ? "constructor" : "method", name, declStart(t, t.getModifiers()), end(t), d.pos);
            names.push(name);
            scan(t.getBody(), null);
            names.pop();
            return null;
        }
    }
}
