/* replay.c: replay CORPUS: runs each target with each file of its folder, and with prefixes of the file: each one of a
 * short file. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 4096 };

static unsigned replay_file(const struct fuzz_target *target, const char *path) {
    char bytes[LONGEST];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t part = 0; part < length; part += 1 + length / 200) {
        fuzz_run(target, bytes, part);
    }
    fuzz_run(target, bytes, length);
    return 1;
}

static unsigned replay_folder(const struct fuzz_target *target, const char *corpus) {
    char folder[1000], path[2000];
    unsigned files = 0;
    snprintf(folder, sizeof folder, "%s/%s", corpus, target->name);
    DIR *dir = opendir(folder);
    if (!dir) {
        perror(folder);
        exit(1);
    }
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            files += replay_file(target, path);
        }
    }
    closedir(dir);
    return files;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: replay CORPUS\n", stderr);
        return 2;
    }
    for (const struct fuzz_target *target = fuzz_targets; target->name; target++) {
        unsigned files = replay_folder(target, argv[1]);
        printf("%s: %u files\n", target->name, files);
        if (files == 0) {
            return 1;
        }
    }
    return 0;
}
