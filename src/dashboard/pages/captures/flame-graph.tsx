import type { FlameGraph as Graph } from "../../../core/profile/flame-graph.ts";
import { ending } from "./code-name.tsx";
import { FlameTools } from "./flame-tools.tsx";

/** Characters. The limits keep the largest page small. */
const longestName = 80;
const longestOwner = 32;

type Frame = Graph["frames"][number];

/** A list, with every frame below its caller; `flame.ts` draws all calls in its place. */
export function FlameGraphView({ graph }: { graph: Graph }) {
  const { frames, tick_samples: ticks, drawn_samples: drawn, merged_frames: merged } = graph;
  return (
    <div class="flame">
      <FlameTools />
      <p class="notice unknown" data-failed hidden>
        The drawing could not be loaded. This list has the heaviest calls. Reload the page to try again.
      </p>
      <div data-without-script class="stack">
        <p class="hint">
          Every frame stands below its caller, with its share of all tick samples.
          {merged > 0 &&
            ` ${merged} frames that are too small or too many to list are merged where they stand.`}
        </p>
        <ol class="flame-list" tabIndex={0} aria-label="Calls of the profile">
          <li data-d="0">
            <bdi>All tick samples</bdi> <span>{pctText(ticks === 0 ? 0 : (100 * drawn) / ticks)}</span>
          </li>
          {frames.map((frame, index) => (
            // One method is in many frames, so the index is the key.
            <Row key={index} frame={frame} />
          ))}
        </ol>
      </div>
    </div>
  );
}

function Row({ frame }: { frame: Frame }) {
  const { depth, name, owner, plugin, merged } = frame;
  const kind = merged > 0 ? "m" : plugin ? "p" : undefined;
  return (
    <li class={kind} data-d={depth}>
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
