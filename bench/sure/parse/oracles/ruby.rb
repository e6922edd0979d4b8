$VERBOSE = nil
STDIN.each_line(chomp: true) do |f|
  RubyVM::InstructionSequence.compile_file(f)
  puts f
rescue SyntaxError, StandardError
end
