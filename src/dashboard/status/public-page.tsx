import type {
  PublicIncident,
  PublicServer,
  PublicStatus,
  PublicWindow,
} from "../../core/status-page/public-status.ts";
import { shownDuration } from "../../core/text/plain-words.ts";
import { State } from "../parts/state.tsx";
import { Text } from "../parts/value.tsx";
import { Bars } from "./bars.tsx";
import { statusDocument } from "./status-document.tsx";
import {
  barsWords,
  dateWords,
  dayKinds,
  minuteWords,
  nameOnOneLine,
  outageDays,
  overall,
  percentWords,
  playersWords,
  publicStates,
  spanWords,
} from "./status-words.ts";

/** Units of the drawing, which is stretched to the width of the page. */
const barsBox = { width: 720, height: 36 };

/** Of all servers together. */
const mostListed = 30;

export const renderStatusPage = (status: PublicStatus, asset: (name: string) => string): string =>
  statusDocument({
    title: `${nameOnOneLine(status.title)} · status`,
    asset,
    children: (
      <>
        <h1>
          <Text value={status.title} />
        </h1>
        <Standing status={status} />
        {status.servers.map((server, index) => (
          <ServerCard key={index} server={server} status={status} />
        ))}
        {status.servers.length > 0 && <DayKinds />}
        <Incidents status={status} />
        <Windows status={status} />
      </>
    ),
  });

function Standing({ status: { servers, generated_at } }: { status: PublicStatus }) {
  const { words, means } = overall(servers);
  const players = playersWords(servers);
  return (
    <section class={`card standing ${means}`} aria-label="Now">
      <p class="row">
        <State means={means}>{words}</State>
        {players !== null && <span>{players}</span>}
      </p>
      <p class="small quiet">
        As of <time dateTime={generated_at}>{minuteWords(generated_at)} UTC</time>, renewed once a minute
      </p>
    </section>
  );
}

function ServerCard({ server, status }: { server: PublicServer; status: PublicStatus }) {
  const { name, state, players, percent, days } = server;
  const { words, means } = publicStates[state];
  const outages = outageDays(server, status);
  return (
    <section class="card">
      <header>
        <h2>
          <Text value={name} />
        </h2>
        <span class="server-now">
          {players !== null && <span>{`${players} ${players === 1 ? "player" : "players"}`}</span>}
          <State means={means}>{words}</State>
        </span>
      </header>
      <div>
        <svg
          class="bars"
          viewBox={`0 0 ${barsBox.width} ${barsBox.height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={barsWords(server)}
        >
          <Bars days={days} box={barsBox} />
        </svg>
        <p class="bars-foot small quiet">
          <span>{days.length === 1 ? "Today" : `${days.length} days ago`}</span>
          <strong>{percentWords(percent)}</strong>
          {days.length > 1 && <span>Today</span>}
        </p>
      </div>
      {outages.length > 0 && (
        <details>
          <summary class="small">
            {outages.length === 1 ? "One day" : `${outages.length} days`} with an outage
          </summary>
          <ul class="outages small">
            {outages.map(({ day, words: length }) => (
              <li key={day}>
                {day}: {length}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

const DayKinds = () => (
  <ul class="day-kinds small quiet" aria-label="What the bars mean">
    {Object.values(dayKinds).map(({ height, means, words }) => (
      <li key={words}>
        <svg viewBox="0 0 6 16" width="6" height="16" aria-hidden="true" focusable="false">
          <path class={`bar ${means}`} stroke-width="6" d={`M3 16V${16 - Math.ceil(16 * height)}`} />
        </svg>
        {words}
      </li>
    ))}
  </ul>
);

interface Named<T> {
  readonly server: string;
  readonly what: T;
}

/** Of all servers, newest first. */
const newestOf = <T extends { readonly from: string }>(
  { servers }: PublicStatus,
  of: (server: PublicServer) => readonly T[],
): Named<T>[] =>
  servers
    .flatMap((server) => of(server).map((what) => ({ server: server.name, what })))
    .toSorted((one, other) => (one.what.from < other.what.from ? 1 : -1));

const lengthWords = (from: string, to: string): string => shownDuration(Date.parse(to) - Date.parse(from));

function Incidents({ status }: { status: PublicStatus }) {
  const all = newestOf<PublicIncident>(status, ({ incidents }) => incidents);
  const left = status.servers.reduce((sum, server) => sum + server.more_incidents, 0);
  const more = Math.max(0, all.length - mostListed) + left;
  const since = dateWords(Date.parse(status.first_day));
  return (
    <section class="card">
      <header>
        <h2>Incidents</h2>
        <span class="small quiet">since {since}</span>
      </header>
      {all.length === 0 ? (
        <p class="quiet">No incident.</p>
      ) : (
        <ul class="happened">
          {all.slice(0, mostListed).map(({ server, what: { trouble, from, to } }, index) => (
            <li key={index}>
              <span class="small quiet">
                {to === null ? `${minuteWords(from)} UTC until now` : spanWords(from, to)}
              </span>
              <span>
                <State means={publicStates[trouble].means}>{publicStates[trouble].words}</State>{" "}
                <Text value={server} />
                <span class="quiet">{to === null ? ", not over yet" : `, for ${lengthWords(from, to)}`}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p class="small quiet">and {more} more before these</p>}
    </section>
  );
}

function Windows({ status }: { status: PublicStatus }) {
  const all = newestOf<PublicWindow>(status, ({ maintenance }) => maintenance);
  if (all.length === 0) return null;
  return (
    <section class="card">
      <header>
        <h2>Maintenance</h2>
      </header>
      <ul class="happened">
        {all.map(({ server, what: { from, to, in_progress } }, index) => (
          <li key={index}>
            <span class="small quiet">{spanWords(from, to)}</span>
            <span>
              {in_progress && <State means="silenced">In progress</State>} <Text value={server} />
              <span class="quiet">
                , {in_progress ? "planned for" : "for"} {lengthWords(from, to)}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
