# Prints, for every path on standard input, one line of JSON with the
# declarations Ruby's own parser sees: [sort, qualified name, line], where sort is
# T for classes, modules and constants, M for methods and aliases, F for
# attributes and members of structs; and the literal arguments of requires.
require "json"

class Reader
  attr_reader :declarations, :requires

  TYPES = { Class: :new, Module: :new, Struct: :new, Data: :define }.freeze

  def initialize
    @declarations, @requires = [], []
    @container, @inside = [], false
  end

  def walk(node)
    return node.each { |c| walk(c) } if node.is_a?(Array)
    return unless node.is_a?(RubyVM::AbstractSyntaxTree::Node)

    case node.type
    when :CLASS, :MODULE then type(node)
    when :SCLASS then singleton(node)
    when :DEFN, :DEFS then method(node)
    when :CDECL then constant(node)
    when :ALIAS then call_alias(node, node.children)
    when :FCALL then call(node) || walk(node.children)
    when :ITER then iter(node)
    else walk(node.children)
    end
  end

  private

  def declare(sort, name, line, path = @container)
    @declarations << [sort, (path + name.to_s.split(".", -1).then { |l| l.size > 1 && sort == "T" ? l : [name.to_s] }).join("."), line]
  end

  # The constants a path is made of; nil if it is computed.
  def path(node)
    return [] if node.nil?
    case node.type
    when :CONST then [node.children[0].to_s]
    when :COLON2
      scope = node.children[0]
      inner = scope ? path(scope) : []
      inner && inner + [node.children[1].to_s]
    when :COLON3 then ["", node.children[0].to_s]
    end
  end

  def qualify(list)
    list.first == "" ? list.drop(1) : @container + list
  end

  def within(container, inside: false)
    saved = [@container, @inside]
    @container, @inside = container, inside
    yield
    @container, @inside = saved
  end

  def type(node)
    name = node.children[0]
    full = qualify(path(name) || [name.children.last.to_s])
    @declarations << ["T", full.join("."), node.first_lineno]
    superclass = node.type == :CLASS ? node.children[1] : nil
    walk(superclass)
    within(full) do
      members(superclass)
      walk(node.children.last)
    end
  end

  def singleton(node)
    value = node.children[0]
    list = path(value)
    within(list ? list.reject(&:empty?) : @container) { walk(node.children[1]) }
  end

  def method(node)
    container = @container
    if node.type == :DEFS && (list = path(node.children[0]))
      list = list.reject(&:empty?)
      container = list unless @container.last(list.size) == list
    end
    name = node.type == :DEFS ? node.children[1] : node.children[0]
    declare("M", name, node.first_lineno, container)
    within(@container, inside: true) { walk(node.children.last) }
  end

  def constant(node)
    target, *rest = node.children
    value = rest.last
    full = target.is_a?(Symbol) ? @container + [target.to_s] : target.type == :COLON3 ? [target.children[0].to_s] : qualify((path(target.children[0]) || []) + [target.children[1].to_s])
    @declarations << ["T", full.join("."), node.first_lineno]
    call = value.is_a?(RubyVM::AbstractSyntaxTree::Node) && value.type == :ITER ? value.children[0] : value
    return walk(value) unless made?(call)

    within(full) do
      members(call)
      walk(value)
    end
  end

  def made?(node)
    node.is_a?(RubyVM::AbstractSyntaxTree::Node) && node.type == :CALL && node.children[0] && (list = path(node.children[0])) &&
      TYPES[list.last.to_sym] == node.children[1] && list.size <= 2
  end

  def members(node)
    node = node.children[0] if node.is_a?(RubyVM::AbstractSyntaxTree::Node) && node.type == :ITER
    return unless made?(node) && %w[Struct Data].include?(path(node.children[0]).last)

    arguments(node.children[2]).each { |a| declare("F", a.children[0], a.first_lineno) if a.type == :LIT && a.children[0].is_a?(Symbol) }
  end

  def arguments(list)
    return [] unless list.is_a?(RubyVM::AbstractSyntaxTree::Node)
    list = list.children[0] if list.type == :BLOCK_PASS
    return [] unless list.is_a?(RubyVM::AbstractSyntaxTree::Node) && list.type == :LIST
    list.children.compact
  end

  def literal(node)
    return unless node && (node.type == :STR || node.type == :LIT && node.children[0].is_a?(Symbol))
    node.children[0].to_s
  end

  def call(node)
    name, args = node.children[0], arguments(node.children[1])
    case name
    when :require, :require_relative, :load
      @requires << [name.to_s, args[0].children[0], node.first_lineno] if args[0]&.type == :STR
    when :attr_reader, :attr_writer, :attr_accessor, :attr
      args.each { |a| declare("F", literal(a), a.first_lineno) if literal(a) } unless @inside
    when :alias_method
      declare("M", literal(args[0]), node.first_lineno) if !@inside && args.size == 2 && literal(args[0])
    when :define_method, :define_singleton_method
      declare("M", literal(args[0]), node.first_lineno) if literal(args[0])
    end
    false
  end

  def call_alias(node, names)
    declare("M", names[0].children[0], node.first_lineno) if names[0].type == :LIT
  end

  def iter(node)
    walk(node.children)
  end
end

$stdout.sync = false
warn_level, $VERBOSE = $VERBOSE, nil
while (line = $stdin.gets)
  file = line.chomp
  reader = Reader.new
  begin
    reader.walk(RubyVM::AbstractSyntaxTree.parse(File.read(file, encoding: "UTF-8")))
    error = ""
  rescue SyntaxError, ArgumentError, EncodingError => e
    error = e.message.scrub[0, 200].lines.first.to_s.chomp
  end
  puts JSON.generate({ path: file, error: error, declarations: reader.declarations, requires: reader.requires }.transform_values { |v| v.is_a?(String) ? v.scrub : v })
end
