# Resolves every require with a literal argument below ROOT with Ruby's own
# $LOAD_PATH.resolve_feature_path.
#
#     ruby ruby.rb ROOT GEM... > answers.jsonl
#
# GEM are the directories of the gems below ROOT. The load path of a file is the
# lib, test and spec of its gem, then Ruby's own, then the lib of the other gems.
# No code of ROOT is run. One line a question: {"from", "spec", "to"}; to is "" if
# the file is not below ROOT.
require "json"
require "set"

root = File.realpath(ARGV.shift)
gems = ARGV.map { |g| File.expand_path(g, root) }.sort_by { |g| -g.size }
ruby = $LOAD_PATH.dup

def requires(node, found)
  return unless node.is_a?(RubyVM::AbstractSyntaxTree::Node)

  name, list = node.children if node.type == :FCALL
  if %i[require require_relative].include?(name) && list.is_a?(RubyVM::AbstractSyntaxTree::Node) && list.type == :LIST && list.children[0].type == :STR
    found << [name, list.children[0].children[0]]
  end
  node.children.each { |c| requires(c, found) }
end

$VERBOSE = nil
paths = Dir.glob("#{root}/**/*.rb").sort
paths.group_by { |p| gems.find { |g| p.start_with?("#{g}/") } }.each do |gem, files|
  own = gem ? %w[lib test spec].map { |d| "#{gem}/#{d}" } : []
  $LOAD_PATH.replace(own + ruby + (gems - [gem]).map { |g| "#{g}/lib" })
  files.each do |file|
    found = []
    begin
      requires(RubyVM::AbstractSyntaxTree.parse(File.read(file, encoding: "UTF-8")), found)
    rescue SyntaxError, ArgumentError, EncodingError
      next
    end
    found.each do |name, spec|
      if name == :require_relative
        to = File.expand_path(spec, File.dirname(file))
        to += ".rb" unless File.file?(to)
        to = "" unless File.file?(to)
        spec = "./#{spec}" unless spec.start_with?("./", "../")
      else
        _, to = begin
          $LOAD_PATH.resolve_feature_path(spec)
        rescue LoadError
          nil
        end
        to = to.to_s.empty? || !File.file?(to.to_s) ? "" : File.realpath(to)
      end
      to = to.start_with?("#{root}/") ? to.delete_prefix("#{root}/") : ""
      puts JSON.generate(from: file.delete_prefix("#{root}/"), spec: spec, to: to)
    end
  end
end
