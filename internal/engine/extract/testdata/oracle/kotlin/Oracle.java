// Oracle prints the declarations of Kotlin files as the Kotlin compiler's own
// parser sees them, one JSON object a line. It exists to check ken's extractor
// and shares nothing with it.
//
//	mvn -q -f pom.xml dependency:copy-dependencies -DoutputDirectory=DIR
//	java -cp 'DIR/*' Oracle.java < list-of-files
//
// A line is {"path","kind","name","qualified","start","end","line","end_line","name_start"}, with byte
// offsets and 1-based lines; a file the parser finds a syntax error in gives one {"path","error":true}.
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import org.jetbrains.kotlin.cli.common.CLIConfigurationKeys;
import org.jetbrains.kotlin.cli.common.messages.MessageCollector;
import org.jetbrains.kotlin.cli.jvm.compiler.*;
import org.jetbrains.kotlin.com.intellij.openapi.Disposable;
import org.jetbrains.kotlin.com.intellij.openapi.util.Disposer;
import org.jetbrains.kotlin.com.intellij.psi.*;
import org.jetbrains.kotlin.com.intellij.psi.util.PsiTreeUtil;
import org.jetbrains.kotlin.config.CompilerConfiguration;
import org.jetbrains.kotlin.lexer.KtTokens;
import org.jetbrains.kotlin.psi.*;

public class Oracle {
    static final PrintStream out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 20), false, StandardCharsets.UTF_8);

    public static void main(String[] args) throws Exception {
        CompilerConfiguration config = new CompilerConfiguration();
        config.put(CLIConfigurationKeys.MESSAGE_COLLECTOR_KEY, MessageCollector.Companion.getNONE());
        Disposable scope = Disposer.newDisposable();
        KotlinCoreEnvironment env = KotlinCoreEnvironment.createForProduction(scope, config, EnvironmentConfigFiles.JVM_CONFIG_FILES);
        KtPsiFactory factory = new KtPsiFactory(env.getProject(), false);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String path; (path = in.readLine()) != null; ) {
            byte[] raw = Files.readAllBytes(Path.of(path));
            String text = new String(raw, StandardCharsets.UTF_8);
            KtFile file = null;
            if (Arrays.equals(raw, text.getBytes(StandardCharsets.UTF_8)) && text.indexOf('\r') < 0 && !text.startsWith("\uFEFF")) {
                file = factory.createFile(text);
            }
            if (file == null || PsiTreeUtil.hasErrorElements(file)) {
                out.println("{\"path\":" + quote(path) + ",\"error\":true}");
                continue;
            }
            new Printer(path, text).children(file);
        }
        out.flush();
        System.exit(0);
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

        void children(PsiElement e) {
            for (PsiElement c = e.getFirstChild(); c != null; c = c.getNextSibling()) visit(c);
        }

        /** Where a declaration begins behind its doc comment and leading annotations. */
        int start(PsiElement d) {
            for (PsiElement c = d.getFirstChild(); c != null; c = c.getNextSibling()) {
                if (c instanceof PsiWhiteSpace || c instanceof PsiComment) continue;
                if (c instanceof KtModifierList) {
                    for (PsiElement m = c.getFirstChild(); m != null; m = m.getNextSibling()) {
                        if (m instanceof PsiWhiteSpace || m instanceof PsiComment || m instanceof KtAnnotationEntry || m instanceof KtAnnotation) continue;
                        return m.getTextRange().getStartOffset();
                    }
                    continue;
                }
                return c.getTextRange().getStartOffset();
            }
            return d.getTextRange().getStartOffset();
        }

        void emit(String kind, String name, PsiElement d, PsiElement id) {
            int s = start(d), e = d.getTextRange().getEndOffset(), n = id == null ? s : id.getTextRange().getStartOffset();
            if (d instanceof KtEnumEntry) while (e > s && (text.charAt(e - 1) == ',' || text.charAt(e - 1) == ';' || Character.isWhitespace(text.charAt(e - 1)))) e--;
            StringBuilder q = new StringBuilder();
            for (Iterator<String> it = names.descendingIterator(); it.hasNext(); ) q.append(it.next()).append('.');
            out.println("{\"path\":" + quote(path) + ",\"kind\":\"" + kind + "\",\"name\":" + quote(name) + ",\"qualified\":" + quote(q + name)
                + ",\"start\":" + bytes[s] + ",\"end\":" + bytes[e] + ",\"line\":" + lines[s] + ",\"end_line\":" + lines[e - 1]
                + ",\"name_start\":" + bytes[n] + "}");
        }

        boolean member(KtDeclaration d) { return d.getParent() instanceof KtClassBody; }

        void named(KtNamedDeclaration d, String kind) {
            emit(kind, d.getName(), d, d.getNameIdentifier());
            names.push(d.getName());
            children(d);
            names.pop();
        }

        void visit(PsiElement e) {
            if (e instanceof KtEnumEntry c) named(c, "enum_member");
            else if (e instanceof KtClass c && c.getName() != null) named(c, c.isInterface() ? "interface" : c.isEnum() ? "enum" : "class");
            else if (e instanceof KtObjectDeclaration o && o.isCompanion()) {
                emit("class", o.getNameIdentifier() == null ? "Companion" : o.getName(), o, o.getNameIdentifier());
                children(o); // members count as the class's
            } else if (e instanceof KtObjectDeclaration o && !o.isObjectLiteral() && o.getName() != null) named(o, "class");
            else if (e instanceof KtSecondaryConstructor c) {
                String name = PsiTreeUtil.getParentOfType(c, KtClassOrObject.class).getName();
                emit("constructor", name, c, null);
                names.push(name);
                children(c);
                names.pop();
            } else if (e instanceof KtNamedFunction f && f.getName() != null) {
                boolean top = f.getParent() instanceof KtFile;
                named(f, member(f) || top && f.getReceiverTypeReference() != null ? "method" : "function");
            } else if (e instanceof KtProperty p && !p.isLocal() && p.getName() != null) {
                boolean field = member(p) || p.getReceiverTypeReference() != null;
                named(p, p.hasModifier(KtTokens.CONST_KEYWORD) ? "constant" : field ? "field" : "variable");
            } else if (e instanceof KtParameter p && p.hasValOrVar() && p.getParent().getParent() instanceof KtPrimaryConstructor) named(p, "field");
            else if (e instanceof KtTypeAlias a && a.getName() != null) named(a, "type");
            else children(e);
        }
    }
}
