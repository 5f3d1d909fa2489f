/*
 * The loops of kernels/memory.ts in C, as the baseline of test/bench/machine.bench.ts.
 * memory MIB SECONDS: prints GB/s of reading, writing and copying (the best of five slices each), and ns a hop of a random
 * cycle of 64-byte lines, without huge pages.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

typedef uint64_t lane __attribute__((vector_size(16)));

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static volatile uint64_t sink;

__attribute__((noinline)) static void read_all(const lane *from, size_t lanes) {
  lane a = {0}, b = {0}, c = {0}, d = {0};
  for (size_t i = 0; i < lanes; i += 4) {
    a += from[i];
    b += from[i + 1];
    c += from[i + 2];
    d += from[i + 3];
  }
  a += b + c + d;
  sink = a[0] + a[1];
}

__attribute__((noinline)) static void write_all(lane *to, size_t lanes, lane value) {
  for (size_t i = 0; i < lanes; i += 4) {
    to[i] = value;
    to[i + 1] = value;
    to[i + 2] = value;
    to[i + 3] = value;
    // Keeps the compiler from calling memset.
    __asm__ volatile("" ::: "memory");
  }
}

__attribute__((noinline)) static void copy_all(lane *to, const lane *from, size_t lanes) {
  for (size_t i = 0; i < lanes; i += 4) {
    lane a = from[i], b = from[i + 1], c = from[i + 2], d = from[i + 3];
    to[i] = a;
    to[i + 1] = b;
    to[i + 2] = c;
    to[i + 3] = d;
    __asm__ volatile("" ::: "memory");
  }
}

static void link_all(char *from, uint32_t lines) {
  uint64_t random = 0x9e3779b97f4a7c15u;
  for (uint32_t i = 0; i < lines; i++) *(uint32_t *)(from + (size_t)i * 64) = i * 64;
  for (uint32_t i = lines - 1; i > 0; i--) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    uint32_t *one = (uint32_t *)(from + (size_t)i * 64);
    uint32_t *other = (uint32_t *)(from + (size_t)(((random >> 32) * i) >> 32) * 64);
    uint32_t successor = *one;
    *one = *other;
    *other = successor;
  }
}

static double chase(const char *from, uint32_t hops) {
  double began = now();
  uint32_t at = 0;
  for (uint32_t hop = 0; hop < hops; hop++) at = *(const uint32_t *)(from + at);
  sink = at;
  return (now() - began) * 1e9 / hops;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  size_t bytes = strtoul(arguments[1], NULL, 10) << 20, lanes = bytes / 16;
  double seconds = strtod(arguments[2], NULL);
  char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  lane *all = (lane *)memory, value = {1, 2};
  write_all(all, lanes, value);
  double best[3] = {0, 0, 0};
  for (int kind = 0; kind < 3; kind++)
    for (int slice = 0; slice < 5; slice++) {
      double began = now(), done = 0;
      do {
        if (kind == 0) read_all(all, lanes);
        if (kind == 1) write_all(all, lanes, value);
        if (kind == 2) copy_all(all + lanes / 2, all, lanes / 2);
        done += kind == 2 ? bytes / 2 : bytes;
      } while (now() - began < seconds);
      double rate = done / (now() - began) / 1e9;
      if (rate > best[kind]) best[kind] = rate;
    }
  uint32_t lines = (uint32_t)(bytes / 64);
  link_all(memory, lines);
  chase(memory, lines);
  printf("%.3f %.3f %.3f %.2f\n", best[0], best[1], best[2], chase(memory, lines));
  return 0;
}
