import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.*;
import javax.lang.model.type.*;
import javax.lang.model.util.*;
import javax.tools.*;

/**
 * Prints what javac knows of the names in the files below a folder whose paths are the lines of the input.
 *
 * <p>Lines of the output, separated by tabs; a place is a path, a line from 1 and a column from 0:
 *
 * <pre>
 * D PLACE             a declaration
 * U PLACE PLACE ROLE  a use of the declaration at the second place, whose path is empty if it is none of the files;
 *                     the role is use, import or implicit
 * B PLACE PLACE       the method at the first place overrides or implements the one at the second
 * </pre>
 *
 * All files are attributed together and without a class path: what needs a library stays without a meaning, and the
 * rest is bound all the same, because attribution goes on after errors.
 */
public final class Uses {
  private final Path root;
  private final PrintStream out;
  private final Trees trees;
  private final SourcePositions positions;
  private final Elements elements;
  private final Types types;
  private final Map<Element, String> places = new HashMap<>();

  private Uses(Path root, PrintStream out, JavacTask task) {
    this.root = root;
    this.out = out;
    trees = Trees.instance(task);
    positions = trees.getSourcePositions();
    elements = task.getElements();
    types = task.getTypes();
  }

  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]);
    List<File> files = new ArrayList<>();
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (!line.endsWith("module-info.java")) {
        files.add(root.resolve(line).toFile());
      }
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    var manager = compiler.getStandardFileManager(d -> {}, null, StandardCharsets.UTF_8);
    var options = List.of("-proc:none", "-XDshould-stop.ifError=FLOW", "-Xmaxerrs", "1000000");
    var task = (JavacTask) compiler.getTask(Writer.nullWriter(), manager, d -> {}, options, null, manager.getJavaFileObjectsFromFiles(files));
    List<CompilationUnitTree> units = new ArrayList<>();
    task.parse().forEach(units::add);
    task.analyze();
    var out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16), false, StandardCharsets.UTF_8);
    var uses = new Uses(root, out, task);
    for (var unit : units) {
      uses.new Declarations(uses.new Source(unit)).scan(unit, null);
    }
    for (var unit : units) {
      uses.new References(uses.new Source(unit)).scan(unit, null);
    }
    uses.overridden();
    out.flush();
  }

  /** A file's text and its lines. */
  private final class Source {
    final CompilationUnitTree unit;
    final String text;

    Source(CompilationUnitTree unit) {
      this.unit = unit;
      try {
        text = unit.getSourceFile().getCharContent(true).toString();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    String place(long offset) {
      String path = root.relativize(Path.of(unit.getSourceFile().toUri())).toString().replace(File.separatorChar, '/');
      long line = unit.getLineMap().getLineNumber(offset);
      return path + "\t" + line + "\t" + (offset - unit.getLineMap().getStartPosition(line));
    }

    /** The first place of a name as a whole word from an offset on, or -1. */
    int find(String name, long from) {
      for (int i = text.indexOf(name, (int) Math.max(from, 0)); i >= 0; i = text.indexOf(name, i + 1)) {
        boolean begins = i == 0 || !Character.isJavaIdentifierPart(text.charAt(i - 1));
        int end = i + name.length();
        if (begins && (end == text.length() || !Character.isJavaIdentifierPart(text.charAt(end)))) {
          return i;
        }
      }
      return -1;
    }

    long end(Tree tree) {
      return tree == null ? -1 : positions.getEndPosition(unit, tree);
    }

    long start(Tree tree) {
      return positions.getStartPosition(unit, tree);
    }
  }

  /** Notes where each element has its name. */
  private final class Declarations extends TreePathScanner<Void, Void> {
    private final Source source;

    Declarations(Source source) {
      this.source = source;
    }

    @Override
    public Void visitClass(ClassTree tree, Void p) {
      declare(tree, tree.getSimpleName().toString(), tree.getModifiers(), null);
      return super.visitClass(tree, p);
    }

    @Override
    public Void visitMethod(MethodTree tree, Void p) {
      var element = trees.getElement(getCurrentPath());
      String name = tree.getName().toString();
      if (name.equals("<init>") && element != null) {
        name = element.getEnclosingElement().getSimpleName().toString();
      }
      declare(tree, name, tree.getModifiers(), tree.getReturnType());
      return super.visitMethod(tree, p);
    }

    @Override
    public Void visitVariable(VariableTree tree, Void p) {
      var element = trees.getElement(getCurrentPath());
      boolean constant = element != null && element.getKind() == ElementKind.ENUM_CONSTANT;
      declare(tree, tree.getName().toString(), tree.getModifiers(), constant ? null : tree.getType());
      return super.visitVariable(tree, p);
    }

    private void declare(Tree tree, String name, ModifiersTree modifiers, Tree type) {
      var element = trees.getElement(getCurrentPath());
      if (element == null || name.isEmpty() || source.start(tree) < 0) {
        return;
      }
      long from = Math.max(source.start(tree), Math.max(source.end(modifiers), source.end(type)));
      int at = source.find(name, from);
      // A default constructor has the position of its class and is written nowhere.
      if (at < 0 || at > Math.max(source.end(tree), from + name.length()) || elements.getOrigin(element) == Elements.Origin.MANDATED) {
        return;
      }
      places.put(element, source.place(at));
      out.println("D\t" + source.place(at));
    }
  }

  /** Prints what each name that is used means. */
  private final class References extends TreePathScanner<Void, Void> {
    private final Source source;
    private boolean imported;

    References(Source source) {
      this.source = source;
    }

    @Override
    public Void visitImport(ImportTree tree, Void p) {
      imported = true;
      super.visitImport(tree, p);
      imported = false;
      return null;
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, Void p) {
      String name = tree.getName().toString();
      boolean constructor = name.equals("this") || name.equals("super");
      use(source.start(tree), trees.getElement(getCurrentPath()), constructor ? "implicit" : "use");
      return super.visitIdentifier(tree, p);
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree tree, Void p) {
      use(source.end(tree) - tree.getIdentifier().length(), trees.getElement(getCurrentPath()), "use");
      return super.visitMemberSelect(tree, p);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree tree, Void p) {
      boolean constructor = tree.getMode() == MemberReferenceTree.ReferenceMode.NEW;
      long length = constructor ? "new".length() : tree.getName().length();
      use(source.end(tree) - length, trees.getElement(getCurrentPath()), constructor ? "implicit" : "use");
      return super.visitMemberReference(tree, p);
    }

    @Override
    public Void visitNewClass(NewClassTree tree, Void p) {
      Tree name = tree.getIdentifier();
      while (!(name instanceof IdentifierTree || name instanceof MemberSelectTree)) {
        if (name instanceof ParameterizedTypeTree generic) {
          name = generic.getType();
        } else if (name instanceof AnnotatedTypeTree annotated) {
          name = annotated.getUnderlyingType();
        } else {
          return super.visitNewClass(tree, p);
        }
      }
      long at = name instanceof MemberSelectTree select ? source.end(select) - select.getIdentifier().length() : source.start(name);
      use(at, trees.getElement(getCurrentPath()), "implicit");
      return super.visitNewClass(tree, p);
    }

    private void use(long at, Element element, String role) {
      if (at < 0 || element == null || element.getKind() == ElementKind.PACKAGE) {
        return;
      }
      String name = element.getKind() == ElementKind.CONSTRUCTOR ? "" : element.getSimpleName().toString();
      if (!source.text.startsWith(name, (int) at)) {
        return; // written by the compiler, as the type of each constant of an enum
      }
      String declared = places.get(element);
      if (declared == null && element.getEnclosingElement() instanceof TypeElement type && type.getKind() == ElementKind.RECORD) {
        // The accessor of a component is written as the component.
        for (var field : ElementFilter.fieldsIn(type.getEnclosedElements())) {
          declared = field.getSimpleName().equals(element.getSimpleName()) ? places.get(field) : declared;
        }
      }
      if (declared == null) {
        TypeMirror type = element.asType();
        if (type == null || type.getKind() == TypeKind.ERROR || type.getKind() == TypeKind.NONE || type.getKind() == TypeKind.OTHER) {
          return;
        }
        declared = "\t0\t0";
      }
      out.println("U\t" + source.place(at) + "\t" + declared + "\t" + (imported ? "import" : role));
    }
  }

  /** Prints which methods override which. */
  private void overridden() {
    for (var entry : places.entrySet()) {
      if (entry.getKey() instanceof ExecutableElement method && method.getEnclosingElement() instanceof TypeElement type) {
        for (TypeElement base : ancestors(type, new LinkedHashSet<>())) {
          for (var inherited : ElementFilter.methodsIn(base.getEnclosedElements())) {
            String at = places.get(inherited);
            if (at != null && inherited.getSimpleName().equals(method.getSimpleName()) && elements.overrides(method, inherited, type)) {
              out.println("B\t" + entry.getValue() + "\t" + at);
            }
          }
        }
      }
    }
  }

  private Set<TypeElement> ancestors(TypeElement type, Set<TypeElement> all) {
    for (TypeMirror t : types.directSupertypes(type.asType())) {
      if (types.asElement(t) instanceof TypeElement base && all.add(base)) {
        ancestors(base, all);
      }
    }
    return all;
  }
}
