import com.sun.source.util.JavacTask;
import java.io.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;
import javax.tools.*;

class Accepted {
  public static void main(String[] args) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String f; (f = in.readLine()) != null; ) {
      DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
      try {
        String text = Files.readString(Path.of(f));
        var source = new SimpleJavaFileObject(URI.create("string:///A.java"), JavaFileObject.Kind.SOURCE) {
          public CharSequence getCharContent(boolean ignored) { return text; }
        };
        ((JavacTask) compiler.getTask(null, null, found, List.of("-proc:none"), null, List.of(source))).parse();
      } catch (IOException e) {
        continue;
      }
      if (found.getDiagnostics().stream().noneMatch(d -> d.getKind() == Diagnostic.Kind.ERROR)) System.out.println(f);
    }
  }
}
