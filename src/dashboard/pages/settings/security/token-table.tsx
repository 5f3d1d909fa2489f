import type { PersonAnswer } from "../../../../contract/call/call-as-person.ts";
import type { Instant } from "../../../../core/time.ts";
import type { listTokens } from "../../../../actions/access/list-tokens.ts";
import { Button, Form } from "../../../parts/form.tsx";
import { State, type Meaning } from "../../../parts/state.tsx";
import { Table } from "../../../parts/table.tsx";
import { Age, Text } from "../../../parts/value.tsx";
import { Words } from "../../../parts/words.tsx";

export type Tokens = PersonAnswer<typeof listTokens>;
type Row = Tokens["data"][number];

const states: Readonly<Record<Row["state"], readonly [Meaning, string]>> = {
  active: ["good", "works"],
  not_covered: ["watch", "not covered by the plan"],
  expired: ["unknown", "expired"],
};

export function TokenTable({ rows, now }: { rows: readonly Row[]; now: Instant }) {
  return (
    <Table
      caption="API tokens and connectors, newest first"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { head: "Name", cell: (row) => <Name row={row} /> },
        { head: "State", cell: (row) => <TokenState row={row} /> },
        { head: "Scopes", cell: (row) => <Scopes row={row} /> },
        { head: "Last use", cell: ({ last_used_at }) => <Age at={last_used_at} now={now} /> },
        { head: "Expires", cell: ({ expires_at }) => <Age at={expires_at} now={now} /> },
        { head: "Revoke", cell: (row) => <Revocation row={row} /> },
      ]}
    />
  );
}

/** A connector is shown with its program and the host that the program states. */
function Name({ row: { name, kind, client } }: { row: Row }) {
  return (
    <>
      <Text value={name} />{" "}
      <span class="hint">
        {kind}
        {client !== null && (
          <>
            {" of "}
            <Text value={client.name} />
            {client.host !== null && (
              <>
                {" at "}
                <Text value={client.host} />
              </>
            )}
          </>
        )}
      </span>
    </>
  );
}

function TokenState({ row: { state } }: { row: Row }) {
  const [means, words] = states[state];
  return <State means={means}>{words}</State>;
}

function Scopes({ row: { id, name, scopes, state } }: { row: Row }) {
  return (
    <>
      <Words of={scopes.join(" ")} />{" "}
      {state !== "expired" && (
        <a href={`/settings/security/rights/${id}`}>
          Change
          <span class="unseen">
            {" the rights of "}
            <Text value={name} />
          </span>
        </a>
      )}
    </>
  );
}

function Revocation({ row: { id, name } }: { row: Row }) {
  return (
    <Form does="revoke" hidden={{ token_id: id }} class="form inline">
      <Button danger>
        Revoke
        <span class="unseen">
          {" "}
          <Text value={name} />
        </span>
      </Button>
    </Form>
  );
}
