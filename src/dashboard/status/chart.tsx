import type { PublicServer, PublicStatus } from "../../core/status-page/public-status.ts";
import { stateShapes } from "../parts/state.tsx";
import { Bars } from "./bars.tsx";
import { beginningOf, svgImage } from "./svg-image.tsx";
import { minuteWords, nameOnOneLine, overall, percentWords, publicStates } from "./status-words.ts";

const width = 560;
const padding = 16;
const rowHeight = 62;
const barHeight = 26;
const footHeight = 24;
/** A chart stays small: it only counts the servers beyond this number. */
const mostRows = 6;
const mostName = 36;

export function renderChart({ title, servers, generated_at }: PublicStatus): string {
  const rows = servers.slice(0, mostRows);
  const more = servers.length - rows.length;
  const height = padding + Math.max(1, rows.length) * rowHeight + footHeight;
  const days = Math.max(0, ...rows.map((server) => server.days.length));
  return svgImage({
    kind: "chart",
    width,
    height,
    words: `${nameOnOneLine(title)}: ${overall(servers).words}. ${rows
      .map(
        ({ name, state, percent }) =>
          `${nameOnOneLine(name)}: ${publicStates[state].words}, ${percentWords(percent)}`,
      )
      .join("; ")}`,
    children: (
      <>
        <rect class="panel" x="0.5" y="0.5" width={width - 1} height={height - 1} rx="6" />
        {rows.map((server, index) => (
          <g key={index} transform={`translate(${padding} ${padding + index * rowHeight})`}>
            <Row server={server} />
          </g>
        ))}
        <text class="quiet" x={padding} y={height - 12}>
          {`${more > 0 ? `and ${more} more · ` : ""}availability of the last ${days} days`}
        </text>
        <text class="quiet" x={width - padding} y={height - 12} text-anchor="end">
          {`${minuteWords(generated_at)} UTC`}
        </text>
      </>
    ),
  });
}

function Row({ server: { name, state, players, percent, days } }: { server: PublicServer }) {
  const { words, means } = publicStates[state];
  const inner = width - 2 * padding;
  const value = [
    words,
    ...(players === null ? [] : [`${players} ${players === 1 ? "player" : "players"}`]),
    percentWords(percent),
  ].join(" · ");
  return (
    <>
      <path class={`shape ${means}`} transform="translate(0 1) scale(.8)" d={stateShapes[means]} />
      <text class="name" x="19" y="12">
        {beginningOf(nameOnOneLine(name), mostName)}
      </text>
      <text x={inner} y="12" text-anchor="end">
        {value}
      </text>
      <Bars days={days} box={{ width: inner, height: barHeight, y: 20 }} />
    </>
  );
}
