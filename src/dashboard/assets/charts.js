import uPlot from "./uplot.js";

/** The height of a chart, and of the last one, which has the time axis below it; CSS pixels. */
const height = 96;
const axisHeight = 28;
/** The distance to the pointer within which marks are shown, CSS pixels. */
const near = 6;

/** Draws all charts of one time axis, and draws them again if the colours change. */
function drawAll(strips) {
  const data = JSON.parse(strips.dataset.charts);
  let plots = [];
  const draw = () => {
    for (const plot of plots) plot.destroy();
    const colors = colorsOf(strips);
    const figures = [...strips.querySelectorAll("[data-chart]")];
    plots = figures.map((figure, index) =>
      drawOne(figure, data, colors, index === 0, index === figures.length - 1),
    );
  };
  draw();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  new ResizeObserver(() => {
    for (const plot of plots) plot.setSize({ width: widthOf(plot.root.parentElement), height: plot.height });
  }).observe(strips);
}

const widthOf = (box) => Math.max(200, Math.floor(box.clientWidth));

function colorsOf(element) {
  const style = getComputedStyle(element);
  const color = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    line: color("accent"),
    grid: color("line"),
    ink: color("quiet"),
    hatch: color("line-strong"),
    shade: color("shade"),
    nominal: color("watch"),
    alert: color("bad"),
    event: color("ink"),
    font: `12px ${style.fontFamily}`,
  };
}

function drawOne(figure, data, colors, isFirst, isLast) {
  const line = data.lines.find(({ field }) => field === figure.dataset.chart);
  const box = figure.querySelector(".plot");
  box.replaceChildren();
  const hasBand = Boolean(line.min && line.max);
  const columns = [data.times, line.values ?? data.times.map(() => null)];
  if (hasBand) columns.push(line.max, line.min);
  const edge = { stroke: "transparent", width: 0, points: { show: false } };
  const options = {
    width: widthOf(box),
    height: height + (isLast ? axisHeight : 0),
    padding: [isFirst ? 14 : 6, 8, isLast ? 0 : 7, 0],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
    legend: { show: false },
    cursor: { sync: { key: "time", setSeries: false }, drag: { x: false, y: false }, y: false },
    scales: {
      x: { time: true, range: () => [data.from, data.to] },
      y: { range: (_plot, _least, most) => [0, Math.max(line.top, most ?? 0) * 1.04] },
    },
    axes: axesOf(colors, isLast),
    series: [
      {},
      {
        stroke: colors.line,
        width: 1.5,
        spanGaps: false,
        points: { show: true, size: 3, width: 0, fill: colors.line, filter: alone },
      },
      ...(hasBand ? [edge, edge] : []),
    ],
    ...(hasBand && { bands: [{ series: [2, 3], fill: translucent(colors.line) }] }),
    hooks: {
      drawClear: [(plot) => drawBehind(plot, data, silencesOf(data, columns[1]), colors)],
      draw: [(plot) => drawOver(plot, data, line, colors, isFirst)],
      setCursor: [(plot) => readOut(figure, plot, data, line, hasBand)],
    },
  };
  const plot = new uPlot(options, columns, box);
  plot.root.setAttribute("aria-hidden", "true");
  return plot;
}

/** Points without a neighbour, which no line connects. */
function alone(plot, series) {
  const values = plot.data[series];
  const isKnown = (index) => values[index] !== null && values[index] !== undefined;
  return values.flatMap((_value, index) =>
    isKnown(index) && !isKnown(index - 1) && !isKnown(index + 1) ? [index] : [],
  );
}

function translucent(color) {
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = color;
  return `${probe.fillStyle}33`;
}

function axesOf(colors, isLast) {
  const common = {
    stroke: colors.ink,
    font: colors.font,
    grid: { stroke: colors.grid, width: 1 },
    ticks: { show: false },
  };
  return [
    { ...common, size: isLast ? axisHeight : 0, values: isLast ? clocks : () => [] },
    { ...common, size: 48, space: 28, gap: 6 },
  ];
}

/** Times in UTC. The date is shown at the beginning of a day. */
function clocks(_plot, splits) {
  const isLong = splits.at(-1) - splits[0] > 2 * 86_400;
  return splits.map((seconds) => {
    const [day, time] = new Date(seconds * 1000).toISOString().split("T");
    return isLong || time.startsWith("00:00") ? day.slice(5) : time.slice(0, 5);
  });
}

/** The intervals in which this figure was not measured, without overlaps. */
function silencesOf({ times, gaps, from, to }, values) {
  const found = [...gaps];
  for (let index = 0; index < times.length; index += 1) {
    if (values[index] !== null) continue;
    const begin = times[index - 1] ?? from;
    while (index < times.length && values[index] === null) index += 1;
    found.push([begin, times[index] ?? to]);
  }
  const merged = [];
  for (const [begin, end] of found.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && begin <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([begin, end]);
  }
  return merged;
}

/** Draws behind the lines: maintenance shaded, time without measurements hatched. */
function drawBehind(plot, data, silences, colors) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const [from, to] of data.shades) {
    const [left, right] = [at(plot, from), at(plot, to)];
    ctx.fillStyle = colors.shade;
    ctx.fillRect(left, bbox.top, right - left, bbox.height);
  }
  for (const [from, to] of silences) hatch(plot, at(plot, from), at(plot, to), colors.hatch);
  ctx.restore();
}

const at = (plot, seconds) => plot.valToPos(seconds, "x", true);

function hatch({ ctx, bbox }, left, right, color) {
  const step = 7 * devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, bbox.top, Math.max(1, right - left), bbox.height);
  ctx.clip();
  ctx.beginPath();
  // The hatching has one origin for the whole chart, so that it matches from gap to gap.
  for (let x = bbox.left - bbox.height; x < right; x += step) {
    ctx.moveTo(x, bbox.top + bbox.height);
    ctx.lineTo(x + bbox.height, bbox.top);
  }
  ctx.globalAlpha = 0.45;
  ctx.lineWidth = devicePixelRatio;
  ctx.strokeStyle = color;
  ctx.stroke();
  ctx.restore();
}

/** Draws over the lines: the nominal value, and marks of alerts and events. */
function drawOver(plot, data, line, colors, isFirst) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  if (line.nominal !== null) {
    const y = plot.valToPos(line.nominal, "y", true);
    ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
    stroke(ctx, colors.nominal, [bbox.left, y], [bbox.left + bbox.width, y]);
  }
  for (const mark of data.marks) {
    const x = at(plot, mark.at);
    const isAlert = mark.kind === "alert";
    const color = isAlert ? colors.alert : colors.event;
    ctx.setLineDash(isAlert ? [] : [devicePixelRatio, 3 * devicePixelRatio]);
    ctx.globalAlpha = isAlert ? 0.8 : 0.45;
    stroke(ctx, color, [x, bbox.top], [x, bbox.top + bbox.height]);
    ctx.globalAlpha = 1;
    if (isFirst) (isAlert ? triangle : diamond)(ctx, x, bbox.top - 7 * devicePixelRatio, color);
  }
  ctx.restore();
}

function stroke(ctx, color, from, to) {
  ctx.strokeStyle = color;
  ctx.beginPath();
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.stroke();
}

const triangle = (ctx, x, y, color) =>
  shape(ctx, color, [
    [x, y - 5 * devicePixelRatio],
    [x + 5 * devicePixelRatio, y + 4 * devicePixelRatio],
    [x - 5 * devicePixelRatio, y + 4 * devicePixelRatio],
  ]);

const diamond = (ctx, x, y, color) =>
  shape(ctx, color, [
    [x, y - 4 * devicePixelRatio],
    [x + 4 * devicePixelRatio, y],
    [x, y + 4 * devicePixelRatio],
    [x - 4 * devicePixelRatio, y],
  ]);

function shape(ctx, color, corners) {
  ctx.fillStyle = color;
  ctx.beginPath();
  for (const corner of corners) ctx.lineTo(...corner);
  ctx.closePath();
  ctx.fill();
}

/** Shows the values under the pointer in every chart, and the marks there. */
function readOut(figure, plot, data, line, hasBand) {
  const index = plot.cursor.idx;
  const under = figure.querySelector(".under");
  if (index === null || index === undefined || plot.cursor.left < 0) {
    under.textContent = "";
    return;
  }
  const value = line.values?.[index] ?? null;
  const band = hasBand && value !== null ? ` (${number(line.min[index])} to ${number(line.max[index])})` : "";
  const time = new Date(data.times[index] * 1000).toISOString().slice(5, 16).replace("T", " ");
  const happened = data.marks
    .filter((mark) => Math.abs(plot.valToPos(mark.at, "x") - plot.cursor.left) < near)
    .map((mark) => mark.label);
  const words = value === null ? "not measured" : `${number(value)} ${line.unit}${band}`;
  under.textContent = [`${time} UTC: ${words}`, ...(figure.matches(":first-child") ? happened : [])].join(
    " · ",
  );
}

const number = (value) =>
  value === null ? "?" : new Intl.NumberFormat("en", { maximumFractionDigits: 1 }).format(value);

for (const strips of document.querySelectorAll("[data-charts]")) drawAll(strips);
