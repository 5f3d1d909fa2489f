import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { getProfile } from "../../../../endpoints/api/profile/get-profile.ts";
import { chartsAround } from "../../../parts/charts-around.ts";
import { Card } from "../../../parts/state.tsx";
import { Facts, Table } from "../../../parts/table.tsx";
import { Quantity, Text, Time } from "../../../parts/value.tsx";

type Given = NonNullable<NonNullable<PersonAnswer<typeof getProfile>["detail"]>["measured"]>;
type Window = Given["windows"][number];
type Figure = { [K in keyof Window]: Window[K] extends number | null ? K : never }[keyof Window];

const figures: readonly (readonly [head: string, figure: Figure, unit?: string])[] = [
  ["TPS", "tps"],
  ["MSPT, median", "mspt", "ms"],
  ["Longest tick", "worst_tick_ms", "ms"],
  ["CPU of the server", "cpu_usage", "%"],
  ["CPU of the machine", "cpu_system", "%"],
  ["Players", "player_count"],
  ["Entities", "entity_count"],
  ["Tile entities", "tile_entities"],
  ["Loaded chunks", "loaded_chunks"],
];

/** What the profiler measured while it recorded: the profile's own ticks, and how busy the server was. */
export function MeasuredWindows({ server, measured }: { server: string; measured: Given }) {
  const { source, windows } = measured;
  const [last] = windows;
  if (last === undefined) return null;
  const worlds = last.worlds_top ?? [];
  return (
    <Card
      title="Measured meanwhile"
      aside={<a href={chartsAround(server, Date.parse(last.end))}>Charts around it</a>}
    >
      <p class="hint">
        {source} measured this for each minute of the recording. Where the server sent nothing of that time,
        the charts have it too.
      </p>
      <Table
        caption="Minutes of the recording"
        rows={windows}
        rowKey={({ end }) => end}
        columns={[
          { head: "Until", cell: ({ end }) => <Time at={end} /> },
          ...figures.map(([head, figure, unit]) => ({
            head,
            number: true,
            cell: (window: Window) => <Quantity value={window[figure]} {...(unit && { unit })} />,
          })),
        ]}
      />
      <Facts
        of={[
          ["Tick time, p95 of the last minute", <Quantity key="p" value={last.mspt_p95} unit="ms" />],
          ["Heap in use at the end", <Quantity key="u" value={last.ram_used_mb} unit="MB" />],
          ["Largest heap", <Quantity key="m" value={last.ram_max_mb} unit="MB" />],
        ]}
      />
      {worlds.length > 0 && (
        <Table
          caption="Worlds with most entities at the end"
          rows={worlds}
          rowKey={({ name }) => name}
          columns={[
            { head: "World", cell: ({ name }) => <Text value={name} none="without a name" /> },
            {
              head: "Entities",
              number: true,
              cell: ({ entities }) => <Quantity value={entities} digits={0} />,
            },
          ]}
        />
      )}
    </Card>
  );
}
