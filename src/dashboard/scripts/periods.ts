/** The distance to the window from which on a chart is drawn, CSS pixels. */
const nearPx = 300;

// What draws a chart is two thirds of the page's bytes, and the chart is below the tables: it is loaded on the way there.
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
