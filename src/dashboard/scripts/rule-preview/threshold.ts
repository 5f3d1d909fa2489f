import type uPlot from "uplot";

interface ThresholdProps {
  readonly name: string;
  readonly unit: string;
  /** Both included. */
  readonly min: number;
  readonly max: number;
  readonly integer: boolean;
  /** Of the drawn scale. */
  readonly top: () => number;
  /** A person moved the threshold. */
  readonly onMove: (value: number) => void;
  /** A drag has ended. */
  readonly onRelease: () => void;
}

/** The least number of steps in the height of the scale. */
const leastSteps = 50;

/** A power of ten, so that thresholds have few digits. */
export function stepOf(height: number, isInteger: boolean): number {
  const step = 10 ** Math.floor(Math.log10(height / leastSteps));
  return isInteger ? Math.max(1, step) : step;
}

/** Without the digits that a multiplication leaves. */
const stepsUp = (count: number, step: number): number => Number((count * step).toFixed(6));

/** A multiple of the step, or the nearest limit. */
export const onStep = (value: number, step: number, min: number, max: number): number =>
  Math.min(max, Math.max(min, stepsUp(Math.round(value / step), step)));

/** Steps by key. */
const keys: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: 10,
  PageDown: -10,
};

/** A line on the chart that mouse, finger and keys move. */
export class Threshold {
  /** A slider, so that a screen reader says its value. */
  readonly handle = document.createElement("div");
  /** The side of the chart that raises an alert. */
  readonly side = document.createElement("div");
  readonly #props: ThresholdProps;
  #isDragged = false;
  #plot: uPlot | null = null;
  #value: number | null = null;
  #condition = "above";

  constructor(props: ThresholdProps) {
    this.#props = props;
    const { handle, side } = this;
    handle.className = "threshold-handle";
    side.className = "threshold-side";
    handle.tabIndex = 0;
    for (const [name, value] of Object.entries({
      role: "slider",
      "aria-orientation": "vertical",
      "aria-label": `Threshold of ${props.name}`,
      "aria-valuemin": String(props.min),
      "aria-valuemax": String(props.max),
    }))
      handle.setAttribute(name, value);
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      this.#isDragged = true;
      handle.focus();
      event.preventDefault();
    });
    handle.addEventListener("pointermove", (event) => {
      const plot = this.#plot;
      if (!plot || !handle.hasPointerCapture(event.pointerId)) return;
      const pointed = plot.posToVal(event.clientY - plot.over.getBoundingClientRect().top, "y");
      this.#moveTo(Math.min(pointed, this.#highestDrawn()));
    });
    handle.addEventListener("lostpointercapture", () => {
      this.#isDragged = false;
      props.onRelease();
    });
    handle.addEventListener("keydown", (event) => {
      const { min, max } = this.#props;
      if (event.key === "Home") this.#moveTo(min);
      else if (event.key === "End") this.#moveTo(max);
      else {
        const steps = keys[event.key];
        if (steps === undefined) return;
        this.#moveTo((this.#value ?? min) + steps * this.#step());
      }
      event.preventDefault();
    });
  }

  /** A handle that leaves the page, or is inserted again, loses the pointer. */
  get isDragged(): boolean {
    return this.#isDragged;
  }

  /** Moves the threshold to this chart. */
  on(plot: uPlot): void {
    this.#plot = plot;
    const box = plot.root.parentElement;
    if (this.handle.parentElement !== box) box?.append(this.side, this.handle);
    // A chart has its size and scale only after the task that changed it.
    queueMicrotask(() => this.#place());
  }

  /** `value` is null if the form holds no number. */
  show(value: number | null, condition: string): void {
    this.#value = value;
    this.#condition = condition;
    this.#place();
  }

  #step(): number {
    const { min, top, integer } = this.#props;
    return stepOf(top() - min, integer);
  }

  /** The highest step on the drawn scale, where a drag ends. */
  #highestDrawn(): number {
    const step = this.#step();
    return stepsUp(Math.floor(this.#props.top() / step), step);
  }

  #moveTo(value: number): void {
    const { min, max, onMove } = this.#props;
    const next = onStep(value, this.#step(), min, max);
    if (next === this.#value) return;
    this.#value = next;
    this.#place();
    onMove(next);
  }

  #place(): void {
    const [plot, value] = [this.#plot, this.#value];
    const { handle, side } = this;
    const { unit, min, max } = this.#props;
    handle.setAttribute("aria-valuenow", String(Math.min(max, Math.max(min, value ?? min))));
    handle.setAttribute("aria-valuetext", value === null ? "none yet" : `${value} ${unit}`.trim());
    if (!plot) return;
    const { offsetLeft: left, offsetTop: top, clientWidth: width, clientHeight: height } = plot.over;
    // Without a threshold the handle is at the top; a threshold beyond the scale is at its edge.
    const y = value === null ? 0 : Math.min(height, Math.max(0, plot.valToPos(value, "y")));
    Object.assign(handle.style, { left: `${left}px`, width: `${width}px`, top: `${top + y}px` });
    const [from, length] = this.#condition === "below" ? [y, height - y] : [0, y];
    Object.assign(side.style, {
      left: `${left}px`,
      width: `${width}px`,
      top: `${top + from}px`,
      height: `${value === null ? 0 : length}px`,
    });
    handle.dataset["value"] = value === null ? "Threshold" : `${value} ${unit}`.trim();
  }
}
