class Ken < Formula
  desc "<<.Project.Description>>"
  homepage "<<.Project.Repository>>"
  version "<<.Version>>"
  license "<<.Project.License>>"

  base = "<<.Project.Repository>>/releases/download/v<<.Version>>/ken_<<.Version>>"
  on_macos do
    on_arm do
      url "#{base}_darwin-arm64.tar.xz"
      sha256 "<<index .Sums "darwin-arm64">>"
    end
    on_intel do
      url "#{base}_darwin-amd64.tar.xz"
      sha256 "<<index .Sums "darwin-amd64">>"
    end
  end
  on_linux do
    on_arm do
      url "#{base}_linux-arm64.tar.xz"
      sha256 "<<index .Sums "linux-arm64">>"
    end
    on_intel do
      url "#{base}_linux-amd64.tar.xz"
      sha256 "<<index .Sums "linux-amd64">>"
    end
  end

  def install
    bin.install "ken"
    man1.install Dir["man/man1/*.1"]
    bash_completion.install "completions/ken.bash" => "ken"
    zsh_completion.install "completions/_ken"
    fish_completion.install "completions/ken.fish"
    doc.install "THIRD-PARTY-LICENCES.txt"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/ken version")
  end
end
