#!/bin/sh
# conda.sh WORK: what the recipe for conda says, done without conda: its scripts fill a folder, which has the files that its
# tests name, and their commands succeed there.
set -eu
work=$1
. "$(dirname "$0")/rig.sh"
/usr/bin/python3 -c 'import yaml' 2> /dev/null || skip 'no python3-yaml'
rm -rf "$work"
mkdir -p "$work/commands"
version=$(sed -n '1s/^blitz (\(.*\)-[^-]*) .*/\1/p' "$root/debian/changelog")
/usr/bin/python3 - "$root/cmake/conda/recipe.yaml" "$work" "$version" <<'END'
import sys, yaml
path, work, version = sys.argv[1:]
recipe = yaml.safe_load(open(path, encoding="utf8"))
assert recipe["schema_version"] == 1 and recipe["context"]["version"] == version, "another version"
mutex = recipe["outputs"][1]
assert mutex["package"]["name"] == "_openmp_mutex" and mutex["build"]["string"].endswith("_blitz")
with open(work + "/files", "w") as files, open(work + "/scripts", "w") as scripts:
    for output in recipe["outputs"]:
        scripts.write(output["build"]["script"] + "\n")
        for test in output["tests"]:
            contents = test.get("package_contents", {})
            files.writelines("bin/" + name + "\n" for name in contents.get("bin", []))
            files.writelines(name + "\n" for name in contents.get("files", []))
            for command in test.get("script", []):
                with open("{}/commands/{}".format(work, output["package"]["name"]), "a") as commands:
                    commands.write(command.replace("${{ version }}", version) + "\n")
END
export PREFIX="$work/prefix"
cd "$root"
while read -r script; do
  sh -eu -c "$(sed "s|build/conda|'$work/build'|g" "cmake/conda/$script")" > "$work/log" 2>&1 ||
    { tail "$work/log"; fail "$script"; }
done < "$work/scripts"
while read -r file; do
  [ -e "$PREFIX/$file" ] || fail "no $file"
done < "$work/files"
export PATH="$PREFIX/bin:$PATH" CC="gcc -Wl,-rpath,$PREFIX/lib"
mkdir -p "$work/test/tests"
cp -r tests/install "$work/test/tests"
cd "$work/test"
for commands in "$work"/commands/*; do
  sh -eux "$commands" || fail "a command of $(basename "$commands")"
done
echo 'the recipe does what it says'
