#!/usr/bin/env node
"use strict";
// Starts the program in the package for this system, which npm has installed as an optional dependency.
const { spawn } = require("node:child_process");
const name = require("../package.json").name;

function program() {
  const file = process.platform === "win32" ? "ken.exe" : "ken";
  const base = `${name}-${process.platform}-${process.arch}`;
  let packages = [base];
  if (process.platform === "linux") {
    packages = process.report.getReport().header.glibcVersionRuntime ? [base, `${base}-musl`] : [`${base}-musl`];
  }
  for (const p of packages) {
    try {
      return require.resolve(`${p}/bin/${file}`);
    } catch {}
  }
  console.error(`ken: ${packages.join(" or ")} is not installed: this system has no program of ken, or optional dependencies were left out`);
  process.exit(2);
}

const child = spawn(program(), process.argv.slice(2), { stdio: "inherit", windowsHide: true });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`ken: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => process.exit(signal ? 130 : code));
