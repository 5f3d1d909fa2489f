/*
 * The kernel of kernels/cpu.ts written again in C, as the baseline of test/bench/machine.bench.ts.
 * cpu ROUNDS SECONDS: repeats the batch until the time is over, and prints the checksum and the rounds per second of CPU time.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int16_t values[256];
static uint8_t opacities[32];
static uint8_t permutation[512];
static uint64_t sections[24][344];
static uint8_t light[16][4096];
static double entities[257][6];
static uint64_t table[4096];
static uint64_t state;

static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

static double fraction(void) { return (double)(next() >> 11) * (1.0 / 9007199254740992.0); }

static void prepare(void) {
  state = 0x9e3779b97f4a7c15u;
  for (uint32_t i = 0; i < 256; i++) values[i] = (int16_t)next();
  for (uint32_t i = 0; i < 32; i++) opacities[i] = i < 11 ? 15 : i < 14 ? 2 : 1;
  for (uint32_t i = 0; i < 256; i++) permutation[i] = (uint8_t)i;
  for (uint32_t i = 255; i > 0; i--) {
    uint32_t j = (uint32_t)(next() % (i + 1));
    uint8_t other = permutation[j];
    permutation[j] = permutation[i];
    permutation[i] = other;
  }
  memcpy(permutation + 256, permutation, 256);
  for (int s = 0; s < 24; s++)
    for (int i = 0; i < 344; i++) sections[s][i] = next();
  memset(light, 0, sizeof light);
  for (int i = 0; i < 256; i++) {
    double *e = entities[i];
    e[0] = fraction() * 64.0;
    e[1] = fraction() * 16.0;
    e[2] = fraction() * 64.0;
    e[3] = fraction() - 0.5;
    e[4] = fraction() - 0.5;
    e[5] = fraction() - 0.5;
  }
  memset(table, 0, sizeof table);
}

static uint64_t bits(double value) {
  uint64_t out;
  memcpy(&out, &value, sizeof out);
  return out;
}

static inline int64_t fade(int64_t t) { return (((t * t) >> 16) * (196608 - 2 * t)) >> 16; }
static inline int64_t mix(int64_t t, int64_t a, int64_t b) { return a + ((t * (b - a)) >> 16); }
static inline uint32_t shuffled(uint32_t index) { return permutation[index]; }

static inline int64_t corner(uint32_t index) { return values[shuffled(index)]; }

static int64_t noise(int64_t px, int64_t py, int64_t pz) {
  uint32_t cx = (uint32_t)(px >> 16) & 255, cy = (uint32_t)(py >> 16) & 255, cz = (uint32_t)(pz >> 16) & 255;
  int64_t u = fade(px & 65535), v = fade(py & 65535), w = fade(pz & 65535);
  uint32_t a = shuffled(cx) + cy, aa = shuffled(a) + cz, ab = shuffled(a + 1) + cz;
  uint32_t b = shuffled(cx + 1) + cy, ba = shuffled(b) + cz, bb = shuffled(b + 1) + cz;
  int64_t low = mix(v, mix(u, corner(aa), corner(ba)), mix(u, corner(ab), corner(bb)));
  int64_t high = mix(v, mix(u, corner(aa + 1), corner(ba + 1)), mix(u, corner(ab + 1), corner(bb + 1)));
  return mix(w, low, high);
}

static int64_t generate(uint32_t round) {
  int64_t sum = 0;
  for (uint32_t point = 0; point < 16; point++) {
    int64_t x = (int64_t)(point & 7) * 24301 + (int64_t)round * 7193;
    int64_t y = (int64_t)(point >> 2) * 17011 + 3001, z = (int64_t)(point & 15) * 34747 + 19009;
    sum += noise(x, y, z);
    sum += noise(x * 2, y * 2, z * 2) >> 1;
    sum += noise(x * 4, y * 4, z * 4) >> 2;
    sum += noise(x * 8, y * 8, z * 8) >> 3;
  }
  return sum;
}

static inline int32_t dimmed(int32_t before, int32_t above, uint32_t one) {
  int32_t difference = before - above, brighter = before - (difference & (difference >> 31));
  int32_t taken = opacities[one];
  return (brighter - taken) & ((taken - 1 - brighter) >> 31);
}

static uint32_t illuminate(uint32_t round) {
  uint32_t quarter = round & 3, solid = 0;
  const uint64_t *first = sections[round % 24] + quarter * 85;
  uint8_t *lit = light[round & 15] + quarter * 1020, *above = light[(round + 1) & 15] + quarter * 1020;
  int32_t carried = 15;
  for (const uint64_t *word = first; word < first + 85; word++) {
    uint64_t states = *word;
    for (uint64_t shift = 0; shift < 60; shift += 15) {
      uint32_t three = (uint32_t)(states >> shift), one = three & 31, two = (three >> 5) & 31, last = (three >> 10) & 31;
      solid += ((uint32_t)((int32_t)one - 11) >> 31) + ((uint32_t)((int32_t)two - 11) >> 31) +
               ((uint32_t)((int32_t)last - 11) >> 31);
      carried = dimmed(carried, above[0], one);
      lit[0] = (uint8_t)carried;
      carried = dimmed(carried, above[1], two);
      lit[1] = (uint8_t)carried;
      carried = dimmed(carried, above[2], last);
      lit[2] = (uint8_t)carried;
      lit += 3;
      above += 3;
    }
    if (solid % 5 == 0) carried = 14;
  }
  return solid * 31 + (uint32_t)carried;
}

static double move(void) {
  double speed = 0.0;
  for (uint32_t i = 0; i < 256; i++) {
    double *e = entities[i];
    double vx = e[3], vy = (e[4] - 0.08) * 0.98, vz = e[5];
    double x = e[0] + vx, y = e[1] + vy, z = e[2] + vz;
    if (y < 0.0) {
      y = 0.0;
      vy = -vy * 0.98;
    }
    if (x < 0.0 || x > 64.0) {
      vx = -vx;
      x = x < 0.0 ? 0.0 : 64.0;
    }
    if (z < 0.0 || z > 64.0) {
      vz = -vz;
      z = z < 0.0 ? 0.0 : 64.0;
    }
    double dx = entities[i + 1][0] - x, dz = entities[i + 1][2] - z, square = dx * dx + dz * dz;
    if (square < 36.0 && square > 0.0) {
      double away = 0.05 / sqrt(square);
      vx -= dx * away;
      vz -= dz * away;
    }
    vx *= 0.91;
    vz *= 0.91;
    e[0] = x;
    e[1] = y;
    e[2] = z;
    e[3] = vx;
    e[4] = vy;
    e[5] = vz;
    speed += sqrt(vx * vx + vy * vy + vz * vz);
  }
  return speed;
}

static uint32_t find(void) {
  uint32_t found = 0;
  for (int i = 0; i < 64; i++) {
    uint64_t key = (next() & 8191) + 1;
    uint32_t slot = (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 52);
    int is_in = 0;
    for (int step = 0; step < 4; step++) {
      uint64_t held = table[slot];
      if (held == key) {
        is_in = 1;
        break;
      }
      if (held == 0) break;
      slot = (slot + 1) & 4095;
    }
    if (is_in) found++;
    else table[slot] = key;
  }
  return found;
}

static uint32_t work(uint32_t rounds) {
  prepare();
  uint64_t sum = 0;
  for (uint32_t round = 0; round < rounds; round++) {
    sum = sum * 31 + (uint64_t)generate(round);
    sum = sum * 31 + illuminate(round);
    sum = sum * 31 + bits(move());
    sum = sum * 31 + find();
  }
  return (uint32_t)(sum ^ (sum >> 32));
}

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  uint32_t rounds = (uint32_t)strtoul(arguments[1], NULL, 10), checksum = work(rounds);
  double length = strtod(arguments[2], NULL), wall = seconds(CLOCK_MONOTONIC);
  double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
  uint64_t done = 0;
  while (seconds(CLOCK_MONOTONIC) - wall < length) {
    if (work(rounds) != checksum) return 1;
    done += rounds;
  }
  printf("%u %.1f\n", checksum, (double)done / (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu));
  return 0;
}
