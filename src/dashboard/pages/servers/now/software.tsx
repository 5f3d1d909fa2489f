import { absence } from "../../../words/glossary.ts";
import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { shownVersion } from "../../../../core/server/link-code.ts";
import type { RunningSoftware } from "../../../../core/software/running-software.ts";
import type { Instant } from "../../../../core/time.ts";
import { getServerSoftware } from "../../../../endpoints/api/software/get-server-software.ts";
import type { PageRequest } from "../../../page.ts";
import { nullIfRefused } from "../../../parts/null-if-refused.ts";
import { Card, State } from "../../../parts/state.tsx";
import { Facts, Table } from "../../../parts/table.tsx";
import { Age, Text, Time } from "../../../parts/value.tsx";
import { wordsOf } from "../server-state.tsx";

/** Null if the plan does not include monitoring. */
export async function softwareCard(request: PageRequest<SessionCaller>, server_id: string) {
  const software = await nullIfRefused(["plan_required"], request.call(getServerSoftware, { server_id }));
  return software && <SoftwareCard software={software} now={request.now} />;
}

/** Shown rows of a list; a modpack has hundreds. */
const mostRows = 200;
function SoftwareCard({ software, now }: { software: RunningSoftware; now: Instant }) {
  const { server, java, sender, first_received_at, received_at, plugins, mods, settings } = software;
  const version = sender.version && shownVersion(sender.version);
  return (
    <Card
      title="What runs here"
      id="software"
      aside={
        received_at !== null && (
          <span class="small quiet">
            received <Age at={received_at} now={now} />
          </span>
        )
      }
    >
      <Facts
        of={[
          [
            "Server",
            <Part key="server" words={[server.name ?? server.type, server.version]} of={server} now={now} />,
          ],
          ["Build", <Text key="build" value={server.build} none={absence.unknown} />],
          ["Java", <Part key="java" words={[java.version, java.vendor]} of={java} now={now} />],
          [
            sender.kind === "agent" ? "Agent" : "Plugin of the service",
            <Part key="sender" words={[version]} of={sender} now={now} />,
          ],
        ]}
      />
      <p class="small quiet">
        {first_received_at === null ? (
          sender.kind === "agent" ? (
            "No list of plugins and settings was sent yet. The agent sends it when it starts."
          ) : (
            "The server's plugin has sent no list of plugins and settings."
          )
        ) : (
          <>
            Changes are seen since <Time at={first_received_at} />.
          </>
        )}
      </p>
      <Flags flags={java.flags} />
      <InstalledList what="plugins" list={plugins} now={now} />
      <InstalledList what="mods" list={mods} now={now} />
      {settings.length > 0 && (
        <details>
          <summary>{settings.length} settings</summary>
          <Table
            caption="Settings"
            rows={settings}
            rowKey={({ setting }) => setting}
            columns={[
              { head: "Setting", cell: ({ setting }) => wordsOf(setting) },
              { head: "Value", cell: ({ value }) => <Text value={String(value)} /> },
              { head: "Changed", cell: ({ changed_at }) => <Changed at={changed_at} now={now} /> },
            ]}
          />
        </details>
      )}
    </Card>
  );
}

/** The known words, and when they last changed. */
function Part({
  words,
  of: { changed_at },
  now,
}: {
  words: readonly (string | null)[];
  of: { readonly changed_at: string | null };
  now: Instant;
}) {
  const known = words.filter((word) => word !== null).join(" ");
  return (
    <>
      <Text value={known === "" ? null : known} none={absence.unknown} />
      {changed_at !== null && (
        <span class="small quiet">
          {" "}
          changed <Age at={changed_at} now={now} />
        </span>
      )}
    </>
  );
}

function Changed({ at, now }: { at: string | null; now: Instant }) {
  return at === null ? <span class="quiet">no change seen</span> : <Age at={at} now={now} />;
}

function Flags({ flags }: { flags: RunningSoftware["java"]["flags"] }) {
  if (flags === null || flags.length === 0) return null;
  return (
    <details>
      <summary>{flags.length} flags of the JVM</summary>
      <p class="small">
        <code>
          <Text value={flags.join(" ")} />
        </code>
      </p>
    </details>
  );
}

/** Those that changed last come first. */
function InstalledList({
  what,
  list,
  now,
}: {
  what: "plugins" | "mods";
  list: RunningSoftware["plugins"];
  now: Instant;
}) {
  if (list === null || list.length === 0) return null;
  const rows = list.toSorted((a, b) => (b.changed_at ?? "").localeCompare(a.changed_at ?? ""));
  return (
    <details>
      <summary>
        {list.length} {list.length === 1 ? what.slice(0, -1) : what}
        {rows[0] && rows[0].changed_at !== null && (
          <>
            , the last change <Age at={rows[0].changed_at} now={now} />
          </>
        )}
      </summary>
      <Table
        caption={what === "plugins" ? "Plugins" : "Mods"}
        rows={rows.slice(0, mostRows)}
        rowKey={({ name }, index) => `${index} ${name}`}
        columns={[
          { head: "Name", cell: ({ name }) => <Text value={name} /> },
          { head: "Version", cell: ({ version }) => <Text value={version} none={absence.unknown} /> },
          {
            head: "State",
            cell: ({ enabled }) => (enabled ? "on" : <State means="silenced">switched off</State>),
          },
          { head: "Changed", cell: ({ changed_at }) => <Changed at={changed_at} now={now} /> },
        ]}
      />
      {rows.length > mostRows && <p class="small quiet">and {rows.length - mostRows} more</p>}
    </details>
  );
}
