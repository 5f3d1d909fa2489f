import type uPlot from "uplot";
import { appended, type ChartData, type Stretch } from "./chart/chart-data.ts";
import { fullTime } from "./chart/clock.ts";
import { colorsOf } from "./chart/colors.ts";
import { listen, scaled, shifted } from "./chart/gestures.ts";
import { saveImage, saveTable } from "./chart/save.ts";
import { onLookChange } from "./look/theme.ts";
import { drawStrip, widthOf, type Grasp } from "./chart/strip.ts";

/** New points are requested at this interval, ms. */
const everyMs = 15_000;
/** The shortest period of a zoom, s. */
const shortest = 60;

/** Charts with one time axis. The address follows the shown period, so that it can be shared. */
class Charts implements Grasp {
  readonly #part: HTMLElement;
  #plots: uPlot[] = [];
  #data: ChartData | null = null;
  /** When the data was read from the page, by `performance.now()`. */
  #takenAt = 0;
  /** The shown period: during a gesture not that of the data. */
  #period: Stretch = [0, 0];
  /** A frame is requested that shows a moved period. */
  #isMoving = false;
  /** The query for which the charts were loaded. */
  #loaded = location.search;
  /** Aborts older requests. */
  #current = new AbortController();

  constructor(part: HTMLElement) {
    this.#part = part;
  }

  start(): void {
    // The first charts take long: between two of them the page answers the person.
    this.#take((next) => setTimeout(next));
    // A link within the page also changes the history, but not the charts.
    addEventListener("popstate", () => location.search !== this.#loaded && void this.#load());
    onLookChange(() => this.#draw());
    new ResizeObserver(() => this.#fit()).observe(this.#part);
    setInterval(() => void this.#follow().catch(() => {}), everyMs);
  }

  /** Adds an entry to the browser's history. */
  select(chosen: Stretch): void {
    const [from, to] = scaled(chosen, 1, 0.5, this.#limits(), shortest);
    this.#go({ from: stampOf(from), to: stampOf(to) }, true);
  }

  /** Returns to the period before the last zoom, or to the usual one. */
  back(): void {
    const state = history.state as { isZoomed?: boolean } | null;
    if (state?.isZoomed) history.back();
    else if (new URL(location.href).searchParams.has("from")) this.#go({}, false);
  }

  open(href: string): void {
    location.assign(href);
  }

  get #area(): HTMLElement | null {
    return this.#part.querySelector("[data-charts]");
  }

  /** The period that the plan shows, up to now by the clock of the service. */
  #limits(): Stretch {
    const { oldest, now } = this.#area?.dataset ?? {};
    const passed = (performance.now() - this.#takenAt) / 1000;
    return [Number(oldest) + passed, Number(now) + passed];
  }

  #go(times: Readonly<Record<string, string>>, isZoomed: boolean): void {
    const address = new URL(location.href);
    for (const name of ["range", "from", "to"]) address.searchParams.delete(name);
    for (const [name, value] of Object.entries(times)) address.searchParams.set(name, value);
    history.pushState({ isZoomed }, "", address);
    void this.#load();
  }

  /** Reads the data that the part of the page holds. */
  #take(then?: (next: () => void) => void): void {
    const area = this.#area;
    this.#data = area && (JSON.parse(area.dataset["charts"] ?? "null") as ChartData | null);
    if (!area || !this.#data) return;
    this.#takenAt = performance.now();
    this.#period = [this.#data.from, this.#data.to];
    this.#draw(then);
    const moves = {
      shift: (share: number) => this.#move(shifted(this.#period, share, this.#limits())),
      scale: (factor: number, around: number) =>
        this.#move(scaled(this.#period, factor, around, this.#limits(), shortest)),
      settle: () => this.#settle(),
    };
    listen(area, (event) => this.#overOf(event), moves);
    for (const tools of this.#part.querySelectorAll<HTMLElement>("[data-with-script]")) tools.hidden = false;
    for (const button of this.#part.querySelectorAll<HTMLElement>("[data-shift], [data-scale]"))
      button.addEventListener("click", () => {
        const { shift, scale } = button.dataset;
        if (shift === undefined) moves.scale(Number(scale), 0.5);
        else moves.shift(Number(shift));
        moves.settle();
      });
    this.#onClick("csv", () => this.#data && saveTable(this.#data));
    this.#onClick("png", () => saveImage(area, this.#plots));
  }

  #onClick(name: string, act: () => void): void {
    this.#part.querySelector(`[data-save="${name}"]`)?.addEventListener("click", act);
  }

  /** Draws the charts from top to bottom; `then` decides when the next one is drawn. */
  #draw(then: (next: () => void) => void = (next) => next()): void {
    const [area, data] = [this.#area, this.#data];
    if (!area || !data) return;
    for (const plot of this.#plots) plot.destroy();
    this.#plots = [];
    const colors = colorsOf(area);
    const figures = [...area.querySelectorAll<HTMLElement>("[data-chart]")];
    const plots = this.#plots;
    const drawFrom = (index: number): void => {
      const figure = figures[index];
      // A newer drawing has begun.
      if (!figure || plots !== this.#plots) return;
      const line = data.lines.find(({ field }) => field === figure.dataset["chart"]);
      const place = { isFirst: index === 0, isLast: index === figures.length - 1 };
      const period = () => this.#period;
      const plot = line && drawStrip({ figure, line, colors, place, data, period, grasp: this });
      if (plot) plots.push(plot);
      then(() => drawFrom(index + 1));
    };
    drawFrom(0);
  }

  #fit(): void {
    for (const plot of this.#plots)
      plot.setSize({ width: widthOf(plot.root.parentElement ?? this.#part), height: plot.height });
  }

  /** Shows another period of the same data in the next frame. The exact data follows after the gesture. */
  #move(next: Stretch): void {
    this.#period = next;
    if (this.#isMoving) return;
    this.#isMoving = true;
    requestAnimationFrame(() => {
      this.#isMoving = false;
      const [min, max] = this.#period;
      for (const plot of this.#plots) plot.setScale("x", { min, max });
    });
  }

  #settle(): void {
    const [from, to] = this.#period;
    if (this.#data && (from !== this.#data.from || to !== this.#data.to)) this.select(this.#period);
  }

  /** The drawing area under an event; null if there is none. */
  #overOf({ target }: Event): DOMRect | null {
    const plot = this.#plots.find(({ root }) => target instanceof Node && root.contains(target));
    return plot ? plot.over.getBoundingClientRect() : null;
  }

  async #load(): Promise<void> {
    this.#current.abort();
    this.#current = new AbortController();
    const { signal } = this.#current;
    const part = this.#part;
    this.#loaded = location.search;
    part.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(asked("part", "charts"), { headers: { accept: "text/html" }, signal });
      if (!answer.ok || answer.redirected) return location.reload();
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const focused = part.contains(document.activeElement) ? document.activeElement?.id : "";
      part.replaceChildren(...(page.body.firstElementChild?.childNodes ?? []));
      part.removeAttribute("aria-busy");
      this.#take();
      if (focused) document.getElementById(focused)?.focus();
    } catch {
      if (!signal.aborted) location.reload();
    }
  }

  /** Appends new measurements while the period ends now. */
  async #follow(): Promise<void> {
    const data = this.#data;
    const isBusy = document.hidden || this.#part.hasAttribute("aria-busy") || this.#period[0] !== data?.from;
    if (!data || isBusy || this.#area?.dataset["follows"] === undefined) return;
    const { signal } = this.#current;
    // The newest bucket may still grow.
    const after = data.times.at(data.bucket === null ? -1 : -2) ?? data.from;
    const answer = await fetch(asked("data", "charts", { after: String(after) }), { signal });
    if (!answer.ok || answer.redirected) return;
    const next = appended(data, (await answer.json()) as ChartData);
    if (signal.aborted || this.#period[0] !== data.from) return;
    if (!next) return this.#load();
    const newest = next.times.at(-1);
    const words = this.#part.querySelector("[data-newest]");
    if (words && newest !== undefined && newest !== data.times.at(-1)) {
      const span = document.createElement("span");
      span.dataset["newest"] = "";
      span.textContent = `The newest point is from ${fullTime(newest)}.`;
      words.replaceWith(span);
    }
    this.#data = next;
    this.#period = [next.from, next.to];
    this.#draw();
  }
}

/** The address of a piece of this page, with the page's own query. */
function asked(kind: string, name: string, more: Readonly<Record<string, string>> = {}): URL {
  const address = new URL(location.href);
  for (const [key, value] of Object.entries({ ...more, [kind]: name })) address.searchParams.set(key, value);
  return address;
}

const stampOf = (seconds: number): string => new Date(Math.round(seconds) * 1000).toISOString();

// The page is painted before the script draws.
requestAnimationFrame(() =>
  setTimeout(() => {
    for (const part of document.querySelectorAll<HTMLElement>('[data-part="charts"]'))
      new Charts(part).start();
  }),
);
