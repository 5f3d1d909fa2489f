import type { Stretch } from "./chart-data.ts";

/** Moves of the shown period, as shares of its length. */
interface Moves {
  /** 0.5 is half of the period later. */
  shift(share: number): void;
  /** Scales around a point of the period: 0 is its beginning, 1 its end. */
  scale(factor: number, around: number): void;
  /** The gesture has ended. */
  settle(): void;
}

/** Stays within the limits. */
export function shifted([from, to]: Stretch, share: number, [first, last]: Stretch): Stretch {
  const length = to - from;
  const begin = Math.min(Math.max(from + share * length, first), Math.max(first, last - length));
  return [begin, Math.min(begin + length, last)];
}

/** Stays within the limits, and is no shorter than `shortest` seconds. */
export function scaled(
  [from, to]: Stretch,
  factor: number,
  around: number,
  [first, last]: Stretch,
  shortest: number,
): Stretch {
  const length = Math.min(Math.max((to - from) * factor, shortest), last - first);
  const begin = from + around * (to - from) - around * length;
  return shifted([begin, begin + length], 0, [first, last]);
}

/** The factor of one step of wheel or key. */
const step = 1.25;

/**
 * Wheel with Ctrl (sent also by a pinch on a touch pad) zooms; sideways or with Shift it moves. One finger
 * sideways moves, two fingers zoom. Arrow keys move, + and - zoom.
 */
export function listen(area: HTMLElement, overOf: (event: Event) => DOMRect | null, moves: Moves): void {
  listenToWheel(area, overOf, moves);
  listenToFingers(area, overOf, moves);
  area.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key];
    if (!act || !(event.target instanceof HTMLElement) || event.target !== area) return;
    event.preventDefault();
    act(moves);
    moves.settle();
  });
}

const keys: Readonly<Record<string, (moves: Moves) => void>> = {
  ArrowLeft: ({ shift }) => shift(-0.25),
  ArrowRight: ({ shift }) => shift(0.25),
  "+": ({ scale }) => scale(1 / (step * step), 0.5),
  "-": ({ scale }) => scale(step * step, 0.5),
};

/** A gesture has ended after this time without a move, ms. */
const restMs = 250;

export function listenToWheel(
  area: HTMLElement,
  overOf: (event: Event) => DOMRect | null,
  moves: Moves,
): void {
  let timer = 0;
  const onWheel = (event: WheelEvent) => {
    const over = overOf(event);
    const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
    if (!over || !(event.ctrlKey || isSideways)) return;
    event.preventDefault();
    if (event.ctrlKey) moves.scale(step ** (event.deltaY / 100), (event.clientX - over.left) / over.width);
    else moves.shift(sideways / over.width);
    clearTimeout(timer);
    timer = setTimeout(moves.settle, restMs);
  };
  area.addEventListener("wheel", onWheel, { passive: false });
}

interface Finger {
  readonly x: number;
  readonly id: number;
}

/** The style sheet leaves vertical moves to the browser (`touch-action: pan-y`). */
export function listenToFingers(
  area: HTMLElement,
  overOf: (event: Event) => DOMRect | null,
  moves: Moves,
): void {
  let before: readonly Finger[] = [];
  const fingersOf = (event: TouchEvent): Finger[] =>
    Array.from(event.touches, ({ clientX, identifier }) => ({ x: clientX, id: identifier }));
  area.addEventListener("touchstart", (event) => void (before = fingersOf(event)), { passive: true });
  area.addEventListener(
    "touchmove",
    (event) => {
      const over = overOf(event);
      const now = fingersOf(event);
      const [one, other] = now;
      const [oneBefore, otherBefore] = before;
      before = now;
      if (!over || !one || !oneBefore || one.id !== oneBefore.id) return;
      if (!other || !otherBefore) return moves.shift((oneBefore.x - one.x) / over.width);
      const spread = Math.abs(one.x - other.x);
      const spreadBefore = Math.abs(oneBefore.x - otherBefore.x);
      const middle = (one.x + other.x) / 2;
      if (spread > 0 && spreadBefore > 0)
        moves.scale(spreadBefore / spread, Math.min(1, Math.max(0, (middle - over.left) / over.width)));
      moves.shift(((oneBefore.x + otherBefore.x) / 2 - middle) / over.width);
    },
    { passive: true },
  );
  area.addEventListener("touchend", (event) => {
    const hadSome = before.length > 0;
    before = fingersOf(event);
    if (hadSome && before.length === 0) moves.settle();
  });
}
