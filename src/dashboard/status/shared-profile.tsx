import type { Refusal } from "../../core/errors.ts";
import type { FlameGraph } from "../../core/profile/flame-graph.ts";
import { FlameGraphView } from "../pages/captures/flame-graph.tsx";
import { problemDocument, statusDocument } from "./status-document.tsx";

/** Shows the calls, and nothing that tells whose they are. */
export const renderSharedProfile = (graph: FlameGraph, asset: (name: string) => string): string =>
  statusDocument({
    title: "Shared profile",
    asset,
    styles: ["flame.css"],
    script: "flame.js",
    children: (
      <>
        <h1>Shared profile</h1>
        <p class="quiet">
          Where the ticks of a game server spent their time, in {graph.tick_samples} samples. Shares are of
          these samples, never durations.
        </p>
        <section class="card">
          <FlameGraphView graph={graph} />
        </section>
      </>
    ),
  });

export function sharedProfileProblem({ code, message }: Refusal, asset: (name: string) => string): string {
  const title =
    code === "not_found"
      ? "This link leads nowhere"
      : code === "invalid_state"
        ? "This profile cannot be read"
        : "The profile cannot be shown now";
  return problemDocument({ title, asset, text: message });
}
