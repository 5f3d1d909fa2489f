import type { Server } from "../../../core/server/server.ts";
import {
  longestShownName,
  longestStatusAddress,
  longestStatusTitle,
  mostShownServers,
  type StatusPage,
} from "../../../core/status-page/status-page.ts";
import { Refusal } from "../../../core/errors.ts";
import type { FormProblem } from "../../page.ts";
import { Button, Check, Form, FormField } from "../../parts/form.tsx";
import { Table } from "../../parts/table.tsx";
import { Text } from "../../parts/value.tsx";

interface ChoiceFormProps {
  readonly does: "create" | "save";
  readonly servers: readonly Server[];
  /** Null for a new page. */
  readonly page: StatusPage | null;
  readonly problem: FormProblem | null;
}

interface Row {
  readonly id: string;
  readonly ownName: string | null;
  readonly isShown: boolean;
  readonly name: string;
  readonly position: string;
}

const suggestedName = ({ name }: Server): string =>
  Array.from((name ?? "").replaceAll(/\s+/g, " ").trim())
    .slice(0, longestShownName)
    .join("");

/** Servers in the order of the page, then the others; after a refusal as they were sent. */
function rowsOf({ servers, page, problem, does }: ChoiceFormProps): Row[] {
  const sent = problem?.action === does ? problem.form : null;
  const places = new Map(page?.servers.map(({ server_id }, index) => [server_id, index]));
  const rows = servers.map((server) => {
    const place = places.get(server.id);
    const shown = page?.servers[place ?? -1];
    return {
      place: place ?? Number.MAX_SAFE_INTEGER,
      row: {
        id: server.id,
        ownName: server.name,
        isShown: sent ? sent.getAll("server").includes(server.id) : shown !== undefined,
        name: sent?.get(`name_${server.id}`) ?? shown?.name ?? suggestedName(server),
        position: sent?.get(`position_${server.id}`) ?? (place === undefined ? "" : String(place + 1)),
      },
    };
  });
  return rows.toSorted((one, other) => one.place - other.place).map(({ row }) => row);
}

/** The owner chooses what a status page shows. */
export function ChoiceForm(props: ChoiceFormProps) {
  const { does, page } = props;
  return (
    <Form does={does} class="form wide">
      <FormField
        name="title"
        label="Title"
        value={page?.title ?? ""}
        maxLength={longestStatusTitle}
        required
        of={does}
      />
      {does === "create" && <AddressField of={does} />}
      <p>
        <Check
          name="shows_players"
          label="Show how many players are online"
          checked={page?.shows_players ?? true}
          of={does}
        />
      </p>
      <fieldset>
        <legend>Servers on the page</legend>
        <p class="hint">
          Tick at most {mostShownServers} servers. The page shows each one under the name in its row, by
          position; a row without a position comes last.
        </p>
        <ServerRows rows={rowsOf(props)} />
      </fieldset>
      <Button>{does === "create" ? "Publish the page" : "Save"}</Button>
    </Form>
  );
}

/** For an address that the owner chooses. */
export const AddressField = ({ of }: { of: string }) => (
  <FormField
    name="address"
    label="Address"
    hint="Lower-case letters, digits and hyphens. If this stays empty, the page gets an address that nobody can guess."
    maxLength={longestStatusAddress}
    autoComplete="off"
    of={of}
  />
);

const ServerRows = ({ rows }: { rows: readonly Row[] }) => (
  <Table
    caption="Servers"
    rows={rows}
    rowKey={({ id }) => id}
    columns={[
      {
        head: "Server",
        cell: ({ id, ownName, isShown }) => (
          <label class="check">
            <input type="checkbox" name="server" value={id} checked={isShown} />
            <Text value={ownName} none="Server without a name" />
          </label>
        ),
      },
      {
        head: "Name on the page",
        wide: true,
        cell: ({ id, ownName, name }) => (
          <input
            name={`name_${id}`}
            value={name}
            maxLength={longestShownName}
            aria-label={`Name on the page of ${ownName ?? "a server without a name"}`}
          />
        ),
      },
      {
        head: "Position",
        cell: ({ id, ownName, position }) => (
          <input
            type="number"
            name={`position_${id}`}
            value={position}
            min={1}
            max={999}
            aria-label={`Position of ${ownName ?? "a server without a name"}`}
          />
        ),
      },
    ]}
  />
);

/** Ticked servers in the order of their positions. Throws `Refusal` for a wrong choice. */
export function choiceIn(form: URLSearchParams): Pick<StatusPage, "title" | "shows_players" | "servers"> {
  const chosen = form.getAll("server").map((server_id, index) => ({
    server_id,
    name: (form.get(`name_${server_id}`) ?? "").trim(),
    place: Number(form.get(`position_${server_id}`) || Number.MAX_SAFE_INTEGER),
    index,
  }));
  if (chosen.length === 0) throw new Refusal("validation_error", "Tick at least one server.");
  if (chosen.length > mostShownServers)
    throw new Refusal("validation_error", `Tick at most ${mostShownServers} servers.`);
  if (chosen.some(({ name }) => name === ""))
    throw new Refusal("validation_error", "Give every ticked server a name for the page.");
  return {
    title: form.get("title")?.trim() ?? "",
    shows_players: form.has("shows_players"),
    servers: chosen
      .toSorted((one, other) => one.place - other.place || one.index - other.index)
      .map(({ server_id, name }) => ({ server_id, name })),
  };
}
