/** A chart this close to the window is drawn, CSS pixels. */
const nearPx = 300;

// The chart's code is two thirds of the page's bytes and the chart is at the end, so it is loaded late.
const watcher = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLElement)) continue;
      watcher.unobserve(target);
      void import("./chart/hours.ts").then(({ drawHours }) => drawHours(target));
    }
  },
  { rootMargin: `${nearPx}px` },
);

for (const figure of document.querySelectorAll("[data-hours]")) watcher.observe(figure);
