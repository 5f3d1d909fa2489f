import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { getUnitTest } from "../../../../endpoints/api/unit-test/get-unit-test.ts";
import { Card, State } from "../../../parts/state.tsx";
import { Facts, Table } from "../../../parts/table.tsx";
import { span, Quantity, Text } from "../../../parts/value.tsx";
import { ReportedValue } from "../../reports/environment.tsx";
import { spelled } from "../../../words/reports.ts";

export type UnitTestShown = PersonAnswer<typeof getUnitTest>;

export function TicksCard({ test }: { test: UnitTestShown }) {
  const { tps, mspt, benchmark_mode, duration_ms } = test;
  return (
    <Card title="Ticks">
      {benchmark_mode === "tier" && (
        <p class="small quiet">
          TPS is the average of the whole ramp; MSPT is that of the last load that passed.
        </p>
      )}
      <Facts
        of={[
          ["TPS on average", <Quantity key="a" value={tps.avg} digits={3} />],
          ["TPS at worst", <Quantity key="b" value={tps.min} digits={3} />],
          ["TPS at best", <Quantity key="c" value={tps.max} digits={3} />],
          ["MSPT on average", <Quantity key="d" value={mspt.avg} unit="ms" digits={3} />],
          ["MSPT at best", <Quantity key="e" value={mspt.min} unit="ms" digits={3} />],
          ["MSPT at worst", <Quantity key="f" value={mspt.max} unit="ms" digits={3} />],
          ["Took", duration_ms === null ? "not reported" : span(duration_ms)],
        ]}
      />
    </Card>
  );
}

/** The result, and the steps of load, which the API calls rungs. */
export function RampCard({ test }: { test: UnitTestShown }) {
  const { stress_result: result, stress_progression: rungs } = test;
  if (result === null && rungs === null) return null;
  return (
    <Card title="Ramp">
      {result && (
        <Facts
          of={[
            ["Last load that passed", <Load key="a" value={result.last_passing_load} unit={result.unit} />],
            ["Load that broke it", <Load key="b" value={result.breaking_load} unit={result.unit} />],
            ["First load", <Load key="c" value={result.first_load} unit={result.unit} />],
            ["Load steps", <ReportedValue key="d" value={result.rungs} />],
            ["Stopped by", result.stop_reason === null ? "not reported" : spelled(result.stop_reason)],
          ]}
        />
      )}
      {rungs && rungs.length > 0 && (
        <Table
          caption="Load steps of the ramp"
          rows={rungs}
          rowKey={(_, index) => String(index)}
          columns={[
            { head: "Load", cell: ({ load, unit }) => <Load value={load} unit={unit} /> },
            { head: "Step", number: true, cell: ({ rung }) => <ReportedValue value={rung} /> },
            {
              head: "Passed",
              cell: ({ passed, stop_reason }) => <Passed passed={passed} reason={stop_reason} />,
            },
            { head: "TPS", number: true, cell: ({ tps_avg }) => <Quantity value={tps_avg} digits={3} /> },
            {
              head: "MSPT",
              number: true,
              cell: (rung) => <Quantity value={rung.mspt_avg} unit="ms" digits={3} />,
            },
            {
              head: "p95",
              number: true,
              cell: (rung) => <Quantity value={rung.mspt_p95} unit="ms" digits={3} />,
            },
            {
              head: "Worst",
              number: true,
              cell: (rung) => <Quantity value={rung.mspt_max} unit="ms" digits={3} />,
            },
            { head: "Ticks", number: true, cell: ({ ticks }) => <ReportedValue value={ticks} /> },
            {
              head: "Took",
              number: true,
              cell: (rung) => (rung.duration_ms === null ? "not reported" : span(rung.duration_ms)),
            },
          ]}
        />
      )}
    </Card>
  );
}

function Passed({ passed, reason }: { passed: boolean | null; reason: string | null }) {
  if (passed === null) return <State means="unknown">not reported</State>;
  if (passed) return <State means="good">passed</State>;
  return <State means="bad">{reason === null ? "broke" : spelled(reason)}</State>;
}

function Load({ value, unit }: { value: number | null; unit: string | null }) {
  if (value === null) return <span class="quiet">none</span>;
  return (
    <>
      {String(value)}
      {unit !== null && (
        <span class="unit">
          {" "}
          <Text value={unit} />
        </span>
      )}
    </>
  );
}

/** Names and values as the plugin reported them. */
export function ReportedCard({ test }: { test: UnitTestShown }) {
  const blocks = (["metrics", "percentiles", "parameters", "flags"] as const).map((name) => ({
    name,
    rows: flattened(test[name]),
  }));
  const reported = blocks.filter(({ rows }) => rows.length > 0);
  if (reported.length === 0) return null;
  return (
    <Card title="As the plugin reported">
      <div class="columns">
        {reported.map(({ name, rows }) => (
          <div key={name} class="stack-half">
            <h3>{spelled(name)}</h3>
            <dl class="scores">
              {rows.map(([path, value], index) => (
                <div key={index}>
                  <dt>
                    <Text value={path} />
                  </dt>
                  <dd>
                    <Text value={value} none='""' />
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        ))}
      </div>
    </Card>
  );
}

/** The leaves of a value, each with its path. */
function flattened(value: unknown, path = ""): [path: string, value: string][] {
  if (typeof value !== "object" || value === null)
    return path === "" ? [] : [[path, typeof value === "string" ? value : JSON.stringify(value)]];
  const inner = Object.entries(value);
  if (inner.length === 0) return path === "" ? [] : [[path, Array.isArray(value) ? "[]" : "{}"]];
  return inner.flatMap(([key, member]) => flattened(member, path === "" ? key : `${path} › ${key}`));
}
