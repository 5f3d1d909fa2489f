import { gzipSync } from "node:zlib";
import { dice } from "./dice.ts";

/** A report on the heap of about 0.8 MB packed, 7 MB unpacked: as many classes of as many plugins as that takes. */
export function largeMemoryReport(seed: number, classes = 50_000): Buffer {
  const random = dice(seed);
  const document = {
    schema: "service-heap-summary/1",
    local_id: `large ${seed}`,
    heap_used_bytes: 8_000_000_000,
    classes: Array.from({ length: classes }, (_, index) => ({
      class_name: `net.example.plugin${index % 400}.deeply.nested.Class${index}`,
      owner: `Plugin ${index % 400}`,
      plugin: true,
      objects: Math.floor(random() * 1e6),
      bytes: Math.floor(random() * 1e8),
    })),
  };
  return gzipSync(JSON.stringify(document));
}

/**
 * A profile of about 0.8 MB packed, 7 MB unpacked: deep stacks, thousands of frames with long
 * names of hundreds of plugins. `nodes` fewer than the most are for tests that must be quick.
 */
export function largeProfile(seed: number, nodes = 140_000, frames = 6000): Buffer {
  const random = dice(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const named = (index: number) => ({
    frame: `net.example.plugin${index % 400}.${"deeply.nested.".repeat(6)}Class${index}.method${below(1e6)}`,
    owner: index % 3 === 0 ? null : `Plugin ${index % 400}`,
    plugin: index % 3 !== 0,
  });
  const document = {
    schema: "service-profile/1",
    local_id: `large ${seed}`,
    platform: { server_type: "paper" },
    frames: Array.from({ length: frames }, (_, index) => named(index)),
    nodes: Array.from({ length: nodes }, (_, index) => ({
      // Stacks of some hundred frames, each with branches on its way.
      parent: index === 0 ? -1 : below(40) === 0 ? below(index) : index - 1,
      frame: below(24) === 0 ? below(frames) : index % frames,
      samples: below(16) === 0 ? 1 : 0,
    })),
  };
  return gzipSync(JSON.stringify(document));
}
