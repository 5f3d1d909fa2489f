import type { PublicStatus } from "../../core/status-page/public-status.ts";
import { stateShapes } from "../parts/state.tsx";
import { beginningOf, svgImage, textWidth } from "./svg-image.tsx";
import { nameOnOneLine, overall, playersWords } from "./status-words.ts";

const height = 20;
const fontSize = 11;
const padding = 7;
/** With the space behind it. */
const shapeWidth = 15;
const mostLabel = 40;

export function renderBadge({ title, servers }: PublicStatus): string {
  const { words, means } = overall(servers);
  const players = playersWords(servers);
  const label = beginningOf(nameOnOneLine(title), mostLabel);
  const value = players === null ? words : `${words} · ${players}`;
  const labelWidth = textWidth(label, fontSize) + 2 * padding;
  const valueWidth = textWidth(value, fontSize) + shapeWidth + 2 * padding;
  const width = labelWidth + valueWidth;
  return svgImage({
    kind: "badge",
    width,
    height,
    words: `${label}: ${value}`,
    children: (
      <>
        <clipPath id="round">
          <rect width={width} height={height} rx="4" />
        </clipPath>
        <g clip-path="url(#round)">
          <rect class="label" width={labelWidth} height={height} />
          <rect class={`value ${means}`} x={labelWidth} width={valueWidth} height={height} />
        </g>
        <text class="on" x={padding} y="14" textLength={labelWidth - 2 * padding} direction="ltr">
          {label}
        </text>
        <path
          class="shape on"
          transform={`translate(${labelWidth + padding - 1} 4) scale(.75)`}
          d={stateShapes[means]}
        />
        <text
          class="on strong"
          x={labelWidth + padding + shapeWidth}
          y="14"
          textLength={valueWidth - shapeWidth - 2 * padding}
        >
          {value}
        </text>
      </>
    ),
  });
}
