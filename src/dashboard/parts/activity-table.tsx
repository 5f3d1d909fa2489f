import type { PersonAnswer } from "../../contract/call/call-as-person.ts";
import type { Instant } from "../../core/time.ts";
import { apiEndpoints } from "../../endpoints/api/registry.ts";
import type { listActivity } from "../../actions/access/list-activity.ts";
import { State, type Meaning } from "./state.tsx";
import { Table } from "./table.tsx";
import { Age, Text } from "./value.tsx";

export const activityPath = "/settings/security/activity";

type Row = PersonAnswer<typeof listActivity>["data"][number];

const routes = new Map(apiEndpoints.map(({ id, method, path }) => [id, `${method} ${path}`]));

const meaningOf = (status: number): Meaning => (status < 400 ? "good" : status === 429 ? "watch" : "bad");

export function ActivityTable({ rows, now }: { rows: readonly Row[]; now: Instant }) {
  return (
    <Table
      caption="Calls of tokens, newest first"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { head: "Time", cell: ({ at }) => <Age at={at} now={now} /> },
        { head: "Token", cell: ({ token }) => <TokenName token={token} /> },
        { head: "Call", cell: (row) => <Call row={row} /> },
        {
          head: "Result",
          cell: ({ status, error }) => (
            <State means={meaningOf(status)}>{error === null ? status : `${status} ${error}`}</State>
          ),
        },
      ]}
    />
  );
}

function TokenName({ token }: { token: Row["token"] }) {
  return (
    <>
      <a href={`${activityPath}?token_id=${token.id}`}>
        <Text value={token.name} none="a deleted token" />
      </a>
      {token.kind === "connector" && (
        <span class="hint">
          {" "}
          connector
          {token.client !== null && (
            <>
              {" of "}
              <Text value={token.client.name} />
            </>
          )}
        </span>
      )}
    </>
  );
}

/** An endpoint that this version does not have is shown by its id. */
function Call({ row: { call, times } }: { row: Row }) {
  return (
    <>
      <code>{routes.get(call) ?? call}</code>
      {times > 1 && <span class="hint"> {times} times</span>}
    </>
  );
}
