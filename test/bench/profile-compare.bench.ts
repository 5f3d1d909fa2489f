import { expect, it } from "vitest";
import { profileComparisonOf, type ProfileSide } from "../../src/core/profile/compare.ts";
import { ProfileDocument } from "../../src/core/profile/document.ts";
import { summarise } from "../../src/core/profile/summary.ts";
import { kept } from "../core/profile/compared-profiles.ts";
import { dice } from "../support/dice.ts";

/** A tree of calls as deep as servers' stacks are, of 40 plugins with game and Java frames between them. */
function documentOf(frames: number, nodes: number, seed: number): ProfileDocument {
  const random = dice(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const packages = ["net.minecraft.world.entity", "java.util.concurrent", "io.netty.channel"];
  const frame = (index: number) => {
    const plugin = index % 4 === 0 ? null : `Plugin${index % 40}`;
    const place = plugin === null ? packages[index % 3] : `net.example.${plugin}`;
    return { frame: `${place}.Class${index}.run`, owner: plugin, plugin: plugin !== null };
  };
  return ProfileDocument.parse({
    schema: "service-profile/1",
    local_id: `profile-${seed}`,
    frames: Array.from({ length: frames }, (_, index) => frame(index)),
    nodes: Array.from({ length: nodes }, (_, index) => ({
      parent: index < 4 ? -1 : Math.max(0, index - 1 - below(Math.min(index, 200))),
      frame: below(frames),
      samples: below(3),
    })),
  });
}

const summaryOnly = (side: ProfileSide): ProfileSide => ({ ...side, document: null });

const twoOf = (frames: number, nodes: number): [ProfileSide, ProfileSide] => [
  kept(documentOf(frames, nodes, 1), { id: "s1" }),
  kept(documentOf(frames, nodes, 2), { id: "s2" }),
];

/** CPU time of one call of the work, µs: the least of three rounds of so many, after one to warm up. */
function microseconds(count: number, work: () => unknown): number {
  const rounds = Array.from({ length: 4 }, () => {
    const start = process.cpuUsage();
    for (let call = 0; call < count; call += 1) work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / count;
  });
  return Math.min(...rounds.slice(1));
}

const show = (name: string, us: number, baseline: number): void =>
  console.log(
    `${name.padEnd(56)} ${us.toFixed(1).padStart(12)} µs CPU  ${(1e6 / us).toFixed(us > 1e5 ? 1 : 0).padStart(8)} a second  ${(us / baseline).toFixed(2).padStart(7)} times the baseline`,
  );

it("comparisons of two summaries beside reading the same summaries from their JSON", () => {
  const [whole, other] = twoOf(2000, 20_000);
  const [base, target] = [summaryOnly(whole), summaryOnly(other)];
  const [left, right] = [JSON.stringify(base.record.summary), JSON.stringify(target.record.summary)];
  const baseline = microseconds(10_000, () => [JSON.parse(left), JSON.parse(right)]);
  show("baseline: JSON.parse of both summaries", baseline, baseline);
  show(
    "two summaries",
    microseconds(10_000, () => profileComparisonOf(base, target)),
    baseline,
  );
  show(
    "and the answer as JSON",
    microseconds(10_000, () => JSON.stringify(profileComparisonOf(base, target))),
    baseline,
  );
  expect(profileComparisonOf(base, target).source).toBe("summaries");
});

it.each([
  [2000, 20_000, 20],
  [100_000, 250_000, 1],
])(
  "comparisons of two documents of %s frames and %s nodes beside summing them up",
  (frames, nodes, count) => {
    const [base, target] = twoOf(frames, nodes);
    const baseline = microseconds(count, () =>
      [base, target].map(({ document }) => document && summarise(document)),
    );
    show(`baseline: summaries of two documents, ${nodes} nodes`, baseline, baseline);
    show(
      `two documents, ${frames} frames, ${nodes} nodes`,
      microseconds(count, () => profileComparisonOf(base, target)),
      baseline,
    );
    expect(profileComparisonOf(base, target).source).toBe("documents");
  },
);
