import { expect, it } from "vitest";
import { lastingName } from "../../../src/core/profile/frame-name.ts";
import { summarise } from "../../../src/core/profile/summary.ts";
import { ProfileDocument } from "../../../src/core/profile/document.ts";
import { profilePayload } from "../../support/captures.ts";

it.each([
  ["net.example.Shop$$Lambda/0x00007f4fc8aa5690.run", "net.example.Shop$$Lambda.run"],
  ["net.example.Shop$$Lambda.0x00007f4fc8aa5690.run", "net.example.Shop$$Lambda.run"],
  ["net.example.Shop$$Lambda$512/1804094807.run", "net.example.Shop$$Lambda.run"],
  ["net.example.Shop$$Lambda$512/0x0000000800d1.run", "net.example.Shop$$Lambda.run"],
  ["net.example.Shop$$Lambda.run", "net.example.Shop$$Lambda.run"],
  ["net.example.Shop.lambda$tick$0", "net.example.Shop.lambda$tick$0"],
])("[OUR-PRO-17] %s is %s in every run", (frame, lasting) => {
  expect(lastingName(frame)).toBe(lasting);
});

it("[OUR-PRO-17] the same lambda of two runs is one method, and its owner the one told for it", () => {
  const shop = { owner: "Shop", plugin: true };
  const { methods } = summarise(
    ProfileDocument.parse(
      profilePayload({
        frames: [
          { frame: "net.example.Shop$$Lambda/0x1a.run", ...shop },
          { frame: "net.example.Shop$$Lambda/0x2b.run", ...shop },
        ],
        nodes: [
          { parent: -1, frame: 0, samples: 300 },
          { parent: -1, frame: 1, samples: 100 },
        ],
        samples: { tick: 400, total: 400 },
      }),
    ),
  );
  expect(methods).toEqual([{ method: "net.example.Shop$$Lambda.run", owner: "Shop", pct: 100 }]);
});
