# Says which constant every file below the autoload roots of a Rails application
# defines, by the inflector of Zeitwerk (any version), without loading a file.
#
#     ruby zeitwerk.rb ROOT DIR... > answers.jsonl
#
# DIR are the autoload roots, relative to ROOT. One line a file: {"from", "spec", "to"}.
require "json"
require "zeitwerk"

root = File.realpath(ARGV.shift)
inflector = Zeitwerk::Inflector.new
roots = ARGV.map { |d| File.join(root, d) }

walk = lambda do |dir, namespace|
  Dir.children(dir).sort.each do |name|
    path = File.join(dir, name)
    if File.directory?(path)
      walk.call(path, namespace + [inflector.camelize(name, path)]) unless roots.include?(path)
    elsif name.end_with?(".rb")
      cpath = namespace + [inflector.camelize(name.delete_suffix(".rb"), path)]
      puts JSON.generate(from: "", spec: cpath.join("::"), to: path.delete_prefix("#{root}/"))
    end
  end
end
roots.each { |r| walk.call(r, []) }
