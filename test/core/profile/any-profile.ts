import * as fc from "fast-check";
import { builtInOwner } from "../../../src/core/class-owner.ts";
import { categoryOf } from "../../../src/core/profile/categories.ts";
import { ProfileDocument } from "../../../src/core/profile/document.ts";

type Sent = Record<string, unknown>;
export type Stacks = readonly (readonly [string, number])[];

/** A document as the upload route reads it. */
export const documentOf = (sent: Sent): ProfileDocument =>
  ProfileDocument.parse({
    schema: "service-profile/1",
    local_id: "profile-1",
    frames: [],
    nodes: [],
    ...sent,
  });

/**
 * A document of stacks: `["net.minecraft.A.b Shop:net.example.C.d", 5]` are five samples of a root and what it called.
 * `Shop:` before a frame is its plugin, `!` a frame without a name. Each stack is sent node by node, shared with none.
 */
export function stacksDocument(stacks: Stacks, sent: Sent = {}): ProfileDocument {
  const frames: Sent[] = [];
  const nodes: { parent: number; frame: number; samples: number }[] = [];
  for (const [stack, samples] of stacks) {
    const parts = stack.split(" ");
    for (const [depth, part] of parts.entries()) {
      const [owner, name] = part.includes(":") ? part.split(":") : [null, part];
      frames.push({ frame: name === "!" ? null : name, owner, plugin: owner !== null });
      nodes.push({
        parent: depth === 0 ? -1 : nodes.length - 1,
        frame: frames.length - 1,
        samples: depth === parts.length - 1 ? samples : 0,
      });
    }
  }
  return documentOf({ frames, nodes, ...sent });
}

export const tick = "net.minecraft.server.MinecraftServer.tickServer";
export const shop = "Shop:net.example.Shop.run";
export const get = "java.util.HashMap.get";

export const market: Stacks = [
  [tick, 10],
  [`${tick} ${shop}`, 20],
  [`${tick} ${shop} ${get}`, 30],
  [`${tick} ${get}`, 5],
  [`${tick} Menu:net.other.Menu.open ${shop} ${get}`, 35],
];

const frameNames = [
  "net.minecraft.server.MinecraftServer.tickServer",
  "net.minecraft.world.entity.Mob.serverAiStep",
  "net.minecraft.world.level.chunk.LevelChunk.getBlockState",
  "java.util.HashMap.get",
  "java.util.ArrayList.forEach",
  "jdk.internal.misc.Unsafe.park",
  "io.netty.channel.Channel.read",
  "net.example.Shop.tick",
  "net.example.Shop.price(int)",
  "net.other.Menu.open",
  "libc.so.6.malloc",
  null,
];

const anyFrame = fc.record({
  frame: fc.constantFrom(...frameNames),
  owner: fc.constantFrom(null, null, "Shop", "Menu", "menu", "server", ""),
  plugin: fc.boolean(),
});

/** Trees of up to 40 calls with shared, repeated, cut and recursive stacks; samples may be missing from the tree. */
export const anyDocument: fc.Arbitrary<ProfileDocument> = fc
  .record({
    frames: fc.array(anyFrame, { minLength: 1, maxLength: 12 }),
    calls: fc.array(
      fc.record({ caller: fc.nat(), frame: fc.nat(), samples: fc.nat(30), isRoot: fc.boolean() }),
      { maxLength: 40 },
    ),
    missing: fc.option(fc.constantFrom(0, 0, 1, 50)),
    capped: fc.constantFrom(null, 0, 3),
    truncated: fc.constantFrom(null, 0, 2),
  })
  .map(({ frames, calls, missing, capped, truncated }) => {
    const nodes = calls.map(({ caller, frame, samples, isRoot }, index) => ({
      parent: index === 0 || (isRoot && caller % 4 === 0) ? -1 : caller % index,
      frame: frame % frames.length,
      samples,
    }));
    const held = nodes.reduce((sum, { samples }) => sum + samples, 0);
    return documentOf({
      frames,
      nodes,
      samples: {
        tick: missing === null ? null : held + missing,
        capped_tick: capped,
        truncated_tick: truncated,
      },
    });
  });

export interface SlowFrame {
  readonly name: string | null;
  readonly owner: string;
  readonly plugin: boolean;
}

export interface SlowStack {
  /** The root first. */
  readonly frames: readonly SlowFrame[];
  readonly samples: number;
}

const ours = new Set(["server", "jvm", "library", "spark", "other"]);

/** The same document as a list of whole stacks, each once: slow, and too simple to be wrong. */
export function slowStacks({ frames, nodes }: ProfileDocument): SlowStack[] {
  const isPlugin = (owner: string): boolean =>
    !ours.has(owner) && frames.some((frame) => frame.owner === owner && frame.plugin);
  const slowFrame = (index: number, callers: readonly SlowFrame[]): SlowFrame => {
    const { frame: name = null } = frames[index] ?? {};
    if (name === null) return { name, owner: "other", plugin: false };
    const told = frames.find((frame) => frame.frame === name && frame.owner)?.owner;
    if (!told && name.startsWith("libc.so."))
      return { name, owner: callers.at(-1)?.owner ?? "other", plugin: false };
    const waits = !told && name === "jdk.internal.misc.Unsafe.park";
    const waiting = waits ? callers.findLast(({ owner }) => owner !== "jvm")?.owner : undefined;
    const className = name.replace(/\(.*/, "").replace(/\.[^.]*$/, "");
    const owner = told ?? waiting ?? builtInOwner(className);
    return { name, owner, plugin: isPlugin(owner) };
  };
  const stacks = new Map<string, SlowStack>();
  const stackAt: SlowFrame[][] = [];
  for (const { parent, frame, samples } of nodes) {
    const callers = stackAt[parent] ?? [];
    const stack = [...callers, slowFrame(frame, callers)];
    stackAt.push(stack);
    const key = JSON.stringify(stack);
    stacks.set(key, { frames: stack, samples: samples + (stacks.get(key)?.samples ?? 0) });
  }
  return [...stacks.values()].filter(({ samples }) => samples > 0);
}

export interface SlowWeight {
  self: number;
  total: number;
}

/** Samples of each group: `self` by the last frame, `total` once a stack by the set of all its frames. */
export function slowWeights(
  stacks: readonly SlowStack[],
  groupOf: (frame: SlowFrame) => string | null,
): Map<string, SlowWeight> {
  const weights = new Map<string, SlowWeight>();
  for (const { frames, samples } of stacks) {
    const groups = frames.map(groupOf);
    for (const group of new Set(groups)) {
      if (group === null) continue;
      const { self, total } = weights.get(group) ?? { self: 0, total: 0 };
      weights.set(group, {
        self: self + (groups.at(-1) === group ? samples : 0),
        total: total + samples,
      });
    }
  }
  return weights;
}

/** Samples by the nearest frame that is known or a plugin's, from the last one outwards. */
export function slowCategories(stacks: readonly SlowStack[]): Map<string, number> {
  const samplesBy = new Map<string, number>();
  for (const { frames, samples } of stacks) {
    const known = frames
      .toReversed()
      .map(({ name, plugin }) => (name === null ? null : categoryOf(name)) ?? (plugin ? "plugin" : null))
      .find((category) => category !== null);
    const category = known ?? "other";
    samplesBy.set(category, samples + (samplesBy.get(category) ?? 0));
  }
  return samplesBy;
}
