import type { FlameGraph as Graph } from "../../../core/profile/flame-graph.ts";
import { ending } from "./code-name.tsx";

/** The longest drawn name, characters. It keeps the largest page small. */
const longestName = 80;
const longestOwner = 32;

type Frame = Graph["frames"][number];

/**
 * The calls of a profile. Without a script it is a list, with every frame below its caller. `flame.js` draws the same
 * list by width.
 */
export function FlameGraphView({ graph }: { graph: Graph }) {
  const { frames, tick_samples: ticks, drawn_samples: drawn } = graph;
  return (
    <div class="flame" data-ticks={ticks}>
      <ol class="flame-list">
        <li data-d="0" data-n={drawn} data-s="0">
          <bdi>All tick samples</bdi> <span>{pctText(ticks === 0 ? 0 : (100 * drawn) / ticks)}</span>
        </li>
        {frames.map((frame, index) => (
          // One method is in many frames, so the index is the key.
          <Row key={index} frame={frame} />
        ))}
      </ol>
    </div>
  );
}

function Row({ frame }: { frame: Frame }) {
  const { depth, name, owner, plugin, merged } = frame;
  const kind = merged > 0 ? "m" : plugin ? "p" : undefined;
  return (
    <li class={kind} data-d={depth} data-n={frame.total_samples} data-s={frame.self_samples}>
      <bdi>{merged > 0 ? `${merged} more` : name === null ? "cut stacks" : ending(name, longestName)}</bdi>
      {plugin && owner !== null && (
        <>
          {" "}
          <i>
            <bdi>{ending(owner, longestOwner)}</bdi>
          </i>
        </>
      )}{" "}
      <span>{pctText(frame.total_pct)}</span>
    </li>
  );
}

const pctText = (pct: number): string => `${pct.toFixed(2)} %`;
