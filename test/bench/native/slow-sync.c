/*
 * Preloaded into the service that `npm run bench:fleet -- --sync-ms N` measures: every sync of a file takes SYNC_MS
 * milliseconds longer, as on a disk of a small virtual machine.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

typedef int sync_file(int);

static int later(const char *name, int file) {
  sync_file *real = (sync_file *)dlsym(RTLD_NEXT, name);
  usleep(SYNC_MS * 1000);
  return real(file);
}

int fsync(int file) { return later("fsync", file); }
int fdatasync(int file) { return later("fdatasync", file); }
