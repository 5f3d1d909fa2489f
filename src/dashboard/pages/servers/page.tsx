import type { SessionCaller } from "../../../contract/call/caller.ts";
import type { Account } from "../../../core/access/account.ts";
import { HowToChangePlan } from "../../parts/plan.tsx";
import { capitalised } from "../../words/capitalised.ts";
import { planIncludes } from "../../../core/access/plan.ts";
import { Refusal } from "../../../core/errors.ts";
import { linkServer } from "../../../endpoints/api/server/link-server.ts";
import {
  personPage,
  type ActionResult,
  type PageContent,
  type Submission,
  type PageRequest,
} from "../../page.ts";
import { EmptyList } from "../../parts/empty-list.tsx";
import { LivePart } from "../../parts/live-part.tsx";
import { wordsOf } from "./server-state.tsx";
import { Empty, Notice } from "../../parts/state.tsx";
import { readFleet, type FleetGroup, type FleetOrder, type ShownFleet } from "./fleet.ts";
import { FleetTable } from "./fleet-table.tsx";
import { LinkCard } from "./link-card.tsx";

export const serversPage = personPage({
  path: "/servers",
  show: (request) => showFleet(request, null),
  parts: { fleet: async (request) => <FleetBody fleet={await readFleet(request)} request={request} /> },
  actions: { link },
});

async function showFleet(request: PageRequest<SessionCaller>, already: string | null): Promise<PageContent> {
  const fleet = await readFleet(request);
  const isMonitoring = planIncludes(request.person.limits, "monitoring");
  return {
    title: "Servers",
    body: (
      <>
        <div class="title">
          <h1>Servers</h1>
          {fleet.totals.servers > 0 && (
            <span class="row">
              <a href="/servers/availability">Availability</a>
              <a href="/servers/changes">What changed</a>
              <a href="/status-pages">Status pages</a>
              <a class="button plain" href="#link">
                Link a server
              </a>
            </span>
          )}
        </div>
        {!isMonitoring && <FleetWithoutMonitoring account={request.person.account} />}
        {fleet.totals.servers === 0 ? (
          <Empty
            title="No server yet"
            next={
              <p>
                <a href="#link">Link your first server</a>. It takes one command in the console of the game
                server, or one beside it.
              </p>
            }
          >
            <p>Your servers will be here with their health, tick times, players and open alerts.</p>
          </Empty>
        ) : (
          <LivePart of="fleet">
            <FleetBody fleet={fleet} request={request} />
          </LivePart>
        )}
        <LinkCard
          already={already}
          baseUrl={request.baseUrl}
          version={request.version}
          isFirst={fleet.totals.servers === 0}
        />
      </>
    ),
  };
}

function FleetWithoutMonitoring({ account }: { account: Account }) {
  return (
    <Notice>
      <p>
        <strong>The plan {capitalised(account.plan)} does not include monitoring:</strong> heartbeats and
        measurements of these servers are not accepted, so there is no live state, chart or alert.
      </p>
      <p>
        These still work: linking servers, benchmark reports and unit tests, comparisons and their verdicts,
        profiles and memory reports within the plan.
      </p>
      <p>
        <HowToChangePlan account={account} />
      </p>
    </Notice>
  );
}

function FleetBody({ fleet, request }: { fleet: ShownFleet; request: PageRequest<SessionCaller> }) {
  const filter = filterOf(request.query);
  return (
    <>
      <div class="title">
        <Totals fleet={fleet} filter={filter} />
        <Orders fleet={fleet} filter={filter} />
      </div>
      {fleet.found === 0 && (
        <EmptyList
          query={request.query}
          now={request.now}
          one="server"
          all="/servers"
          filters={["state", "watched"]}
        >
          <Empty title="No server yet" next={<a href="#link">Link a server</a>} />
        </EmptyList>
      )}
      {fleet.found > 0 &&
        fleet.groups.map((group) => (
          <section key={group.id} class="card group" aria-label={headingOf(group, fleet.order)}>
            {fleet.order === "group" && (
              <h2>{group.name === null ? "Without a group" : <bdi>{group.name}</bdi>}</h2>
            )}
            <FleetTable
              caption={fleet.order === "health" ? byHealth : `Servers: ${headingOf(group, fleet.order)}`}
              rows={group.rows}
              showsGroup={fleet.order === "health" && fleet.hasGroups}
              now={request.now}
            />
          </section>
        ))}
      {fleet.pages > 1 && <Pages fleet={fleet} filter={filter} />}
    </>
  );
}

const byHealth = "Servers by health, the worst first";

const headingOf = ({ name }: FleetGroup, order: FleetOrder): string =>
  order === "health" ? byHealth : (name ?? "Without a group");

interface FleetFilter {
  readonly state: string | null;
  /** Only servers that no enabled rule watches. */
  readonly isUnwatched: boolean;
}

const everything: FleetFilter = { state: null, isUnwatched: false };

const filterOf = (query: URLSearchParams): FleetFilter => ({
  state: query.get("state"),
  isUnwatched: query.get("watched") === "no",
});

/** Leaves out usual values. */
function fleetAddress({ state, isUnwatched }: FleetFilter, order: FleetOrder, page = 1): string {
  const query = new URLSearchParams({
    ...(state !== null && { state }),
    ...(isUnwatched && { watched: "no" }),
    ...(order === "group" && { order }),
    ...(page > 1 && { page: String(page) }),
  });
  return query.size === 0 ? "/servers" : `/servers?${query}`;
}

interface FleetNavProps {
  readonly fleet: ShownFleet;
  readonly filter: FleetFilter;
}

/** Only if there are groups. */
function Orders({ fleet: { order, hasGroups }, filter }: FleetNavProps) {
  if (!hasGroups) return null;
  const orders = [
    ["health", "by health"],
    ["group", "by group"],
  ] as const;
  return (
    <nav aria-label="Order of the servers">
      <ul class="chips">
        {orders.map(([each, words]) => (
          <li key={each}>
            <a href={fleetAddress(filter, each)} aria-current={order === each ? "true" : undefined}>
              {words}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The number of servers in each state and without a rule, as filters. */
function Totals({ fleet: { totals, order }, filter }: FleetNavProps) {
  const states = Object.entries(totals.by_state).filter(([, count]) => count > 0);
  const chips: readonly (readonly [words: string, count: number, filter: FleetFilter])[] = [
    ["All", totals.servers, everything],
    ...states.map(([name, count]) => [wordsOf(name), count, { ...everything, state: name }] as const),
    ["without a rule", totals.unwatched, { ...everything, isUnwatched: true }],
  ];
  return (
    <nav aria-label="Servers by state">
      <ul class="chips">
        {chips
          .filter(([, count]) => count > 0)
          .map(([words, count, of]) => (
            <li key={words}>
              <a
                href={fleetAddress(of, order)}
                aria-current={
                  of.state === filter.state && of.isUnwatched === filter.isUnwatched ? "true" : undefined
                }
              >
                {words} <b>{count}</b>
              </a>
            </li>
          ))}
        <li class="quiet">
          <b>{totals.players}</b> {totals.players === 1 ? "player" : "players"} online
        </li>
      </ul>
    </nav>
  );
}

function Pages({ fleet, filter }: FleetNavProps) {
  const { order, page, pages, found } = fleet;
  const href = (to: number): string => fleetAddress(filter, order, to);
  return (
    <nav class="row" aria-label="Pages">
      {page > 1 && <a href={href(page - 1)}>Back</a>}
      <span class="quiet">
        Page {page} of {pages}, {found} servers
      </span>
      {page < pages && <a href={href(page + 1)}>On</a>}
    </nav>
  );
}

/** Common refusals get the words of this page. */
async function link(sent: Submission<SessionCaller>): Promise<ActionResult> {
  const code = (sent.form.get("code") ?? "").replaceAll(/[\s-]/g, "");
  const name = (sent.form.get("name") ?? "").trim();
  try {
    const server = await sent.call(linkServer, { code, ...(name !== "" && { name }) });
    return { to: `/servers/${server.id}/first-steps` };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === "already_linked")
      return { ...(await showFleet(sent, String(error.details["server_id"]))), status: error.status };
    if (error.code === "not_found" || error.details["field"] === "code") throw unknownCode();
    throw error;
  }
}

const unknownCode = (): Refusal =>
  new Refusal(
    "validation_error",
    "This code links no server. If it is mistyped or older than 15 minutes, get a new code with /bench link in the server's console, or with tickmark agent link beside the server. If the installation is linked to another account, take it over with the link below.",
    { field: "code" },
  );
