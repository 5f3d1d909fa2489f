import type { Page } from "playwright-core";

type Spot = readonly [x: number, y: number];

/** Fingers on the glass of a page, as Chromium has them from a touch screen; CSS pixels in the window. */
export interface Fingers {
  tap(at: Spot): Promise<void>;
  /** Puts two fingers down, moves them in a few steps and takes them off. */
  pinch(from: readonly [Spot, Spot], to: readonly [Spot, Spot]): Promise<void>;
  /** Takes the touch screen away. */
  end(): Promise<void>;
}

const steps = 4;

export async function fingersOn(page: Page): Promise<Fingers> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", spots: readonly Spot[]) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: spots.map(([x, y], id) => ({ x, y, id })),
    });
  return {
    tap: async (at) => {
      await touch("touchStart", [at]);
      await touch("touchEnd", []);
    },
    pinch: async (from, to) => {
      await touch("touchStart", from);
      for (let step = 1; step <= steps; step += 1)
        await touch(
          "touchMove",
          from.map(([x, y], finger) => {
            const [toX, toY] = to[finger] ?? [x, y];
            return [x + ((toX - x) * step) / steps, y + ((toY - y) * step) / steps] as const;
          }),
        );
      await touch("touchEnd", []);
    },
    end: async () => {
      await session.send("Emulation.setTouchEmulationEnabled", { enabled: false });
      await session.detach();
    },
  };
}
