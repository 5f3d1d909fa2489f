import uPlot from "./uplot.js";

/** The height of the chart, CSS pixels. */
const height = 200;

/** Draws a profile by hour of the day, and draws it again if the colours change. */
function drawHours(figure) {
  const data = JSON.parse(figure.dataset.hours);
  const box = figure.querySelector(".plot");
  let plot = null;
  const draw = () => {
    plot?.destroy();
    box.replaceChildren();
    plot = new uPlot(optionsOf(figure, data, box), columnsOf(data), box);
    plot.root.setAttribute("aria-hidden", "true");
  };
  draw();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  new ResizeObserver(() => plot.setSize({ width: widthOf(box), height })).observe(figure);
}

const widthOf = (box) => Math.max(200, Math.floor(box.clientWidth));

const columnsOf = ({ base, target, nominal }) => {
  const hours = base.map((_value, hour) => hour);
  return [hours, base, target, ...(nominal === null ? [] : [hours.map(() => nominal)])];
};

function optionsOf(figure, data, box) {
  const style = getComputedStyle(figure);
  const color = (name) => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: color("quiet"),
    font: `12px ${style.fontFamily}`,
    grid: { stroke: color("line"), width: 1 },
    ticks: { show: false },
  };
  const dots = { show: true, size: 5, width: 0 };
  return {
    width: widthOf(box),
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    scales: {
      x: { time: false, range: () => [0, 23] },
      y: { range: (_plot, _least, most) => [0, (most || 1) * 1.05] },
    },
    axes: [
      { ...axis, size: 28, values: (_plot, splits) => splits.map(clock) },
      { ...axis, size: 56 },
    ],
    series: [
      {},
      {
        stroke: color("line-strong"),
        width: 2,
        dash: [6, 3],
        points: { ...dots, fill: color("line-strong") },
      },
      { stroke: color("accent"), width: 2, points: { ...dots, fill: color("accent") } },
      ...(data.nominal === null
        ? []
        : [{ stroke: color("watch"), width: 1, dash: [5, 4], points: { show: false } }]),
    ],
    hooks: { setCursor: [(plot) => readHour(figure, plot, data)] },
  };
}

const clock = (hour) => `${String(Math.round(hour)).padStart(2, "0")}:00`;

/** Shows the values of the hour under the pointer. */
function readHour(figure, plot, { base, target, unit }) {
  const hour = plot.cursor.idx;
  const isOutside = hour === null || hour === undefined || plot.cursor.left < 0;
  figure.querySelector(".under").textContent = isOutside
    ? ""
    : `${clock(hour)} UTC: earlier ${shown(base[hour], unit)}, later ${shown(target[hour], unit)}`;
}

const format = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const shown = (value, unit) => (value === null ? "not measured" : `${format.format(value)} ${unit}`.trim());

for (const figure of document.querySelectorAll("[data-hours]")) drawHours(figure);
