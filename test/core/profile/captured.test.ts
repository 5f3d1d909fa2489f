import { describe, expect, it } from "vitest";
import { detailOf } from "../../../src/core/profile/detail.ts";
import { summarise } from "../../../src/core/profile/summary.ts";
import { stacksDocument, type Stacks } from "./any-profile.ts";
import { profileComparisonOf } from "../../../src/core/profile/compare.ts";
import { kept } from "./compared-profiles.ts";

const tick = "net.minecraft.server.MinecraftServer.tickServer";

describe("a capture that is told by halves, or contradicts itself", () => {
  it.each([
    [{ window_start: "2026-11-20T07:11:03Z", window_end: "2026-11-20T08:12:03.500+01:00" }, 60.5],
    [{ window_start: "2026-11-20T07:11:03Z", window_end: "2026-11-20T07:11:03Z" }, 0],
    [{ window_start: "2026-11-20T07:11:03Z", window_end: "2026-11-20T07:11:02Z" }, null],
    [{ window_start: "2026-11-20T07:11:03Z" }, null],
    [{ window_start: "2026-11-20T07:11:03Z", window_end: "2026-11-20T07:12:03Z", window_seconds: 59 }, 59],
  ])("[PRO-10] [PRO-26] [OUR-PRO-18] the window of %j took %s seconds", (capture, seconds) => {
    const document = stacksDocument([[tick, 300]], { capture });
    expect(detailOf(document, null).capture.window_seconds).toBe(seconds);
    expect(summarise(document).window.seconds).toBe(seconds);
    const { base } = profileComparisonOf(kept(document), kept(document));
    expect(base.window_seconds).toBe(seconds);
  });

  it.each([
    [
      { tick: 50, total: 60 },
      { tick: 300, total: 300 },
    ],
    [
      { tick: 500, total: 60 },
      { tick: 500, total: 500 },
    ],
    [
      { tick: 500, total: 501 },
      { tick: 500, total: 501 },
    ],
    [
      { tick: 50, total: null },
      { tick: 300, total: null },
    ],
  ])(
    "[PRO-26] [OUR-PRO-18] of samples sent as %j are told %j: those of ticks are among all",
    (sent, told) => {
      const document = stacksDocument([[tick, 300]], { samples: sent });
      expect(detailOf(document, null).samples).toMatchObject(told);
      expect(summarise(document).samples).toEqual(told);
      const { base } = profileComparisonOf(kept(document), kept(document));
      expect([base.tick_samples, base.total_samples]).toEqual([told.tick, told.total]);
    },
  );

  it.each([
    [[], 1, 1000, "stacks-cut"],
    [[], 1, 1001, ""],
    [[], 0, 2000, ""],
    [["odd"], 5, 1000, "odd stacks-cut"],
    [["stacks-cut", "odd"], 5, 1000, "stacks-cut odd"],
  ])(
    "[PRO-11] [OUR-PRO-20] besides %j, with %s of %s samples in cut stacks: %s",
    (sent, cut, ticks, told) => {
      const stacks: Stacks = [
        [tick, ticks - cut],
        [`${tick} !`, cut],
      ];
      const document = stacksDocument(stacks, { warnings: sent.map((code) => ({ code })) });
      expect(summarise(document).warnings.join(" ")).toBe(told);
      const { warnings } = detailOf(document, null);
      expect(warnings.map(({ code }) => code).join(" ")).toBe(told);
      if (told !== "" && !sent.includes("stacks-cut"))
        expect(warnings.at(-1)).toEqual({ code: "stacks-cut", params: { tick_samples: cut } });
    },
  );
});
