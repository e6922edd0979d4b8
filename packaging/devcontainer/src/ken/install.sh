#!/bin/sh
# Installs ken into the container: downloads the archive of its processor, compares its checksum and unpacks it.
set -eu
case $(uname -m) in
x86_64) processor=amd64 sum=<<index .Sums "linux-amd64-musl">> ;;
aarch64 | arm64) processor=arm64 sum=<<index .Sums "linux-arm64-musl">> ;;
*) echo "ken has no program for $(uname -m)" >&2; exit 1 ;;
esac
if ! command -v curl >/dev/null || ! command -v xz >/dev/null; then
  if command -v apt-get >/dev/null; then apt-get update && apt-get install -y curl ca-certificates xz-utils; else apk add curl xz; fi
fi
archive=ken_<<.Version>>_linux-$processor-musl
folder=$(mktemp -d)
curl -fsSL -o "$folder/ken.tar.xz" "<<.Project.Repository>>/releases/download/v<<.Version>>/$archive.tar.xz"
echo "$sum  $folder/ken.tar.xz" | sha256sum -c -
xz -dc "$folder/ken.tar.xz" | tar -x -C "$folder"
install -m 755 "$folder/$archive/ken" /usr/local/bin/ken
rm -rf "$folder"
ken version
