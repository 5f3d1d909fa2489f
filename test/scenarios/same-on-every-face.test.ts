import { afterAll, beforeAll, expect, it } from "vitest";
import { healthFindingNames } from "../../src/core/health/finding-words.ts";
import type { FindingCode, HealthVerdict } from "../../src/core/health/health.ts";
import { shownVerdictOf } from "../../src/dashboard/words/late-now.ts";
import { lateNowOf } from "../../src/core/health/late-now.ts";
import { noMeter } from "../../src/contract/call/meter.ts";
import type { Message } from "../../src/core/notice/message.ts";
import { deliverDue } from "../../src/jobs/deliver.ts";
import type { Json } from "../support/payload.ts";
import { playMoment, type PlayedMoment, type PlayedServer } from "../support/planted/play-moment.ts";
import {
  findingsOf,
  list,
  minuteOf,
  publicStateOf,
  rowOf,
  textOf,
  factsByCheck,
  factsByDigest,
  factsByFleet,
  factsByFleetPage,
  factsByHealth,
  factsByOverview,
  factsByPage,
  factsByStatus,
  factsInPublic,
  type FaceFacts,
} from "./face-facts.ts";
import { signedIn, type Visitor } from "../support/visitor.ts";

/** Not at a full minute, and half an hour into the day's digest week. */
const now = Date.parse("2026-11-23T09:27:41.300Z");

const warned: unknown[] = [];
let moment: PlayedMoment;
let person: Visitor;
beforeAll(async () => {
  moment = await playMoment(50, now, warned);
  person = await signedIn(moment.service, moment.owner);
}, 300_000);
afterAll(async () => {
  expect(moment.service.defects).toEqual([]);
  await moment.service.close();
});

async function rest(path: string): Promise<Json> {
  const { status, json } = await moment.service.request("GET", `/api/v1${path}`, { token: moment.token });
  expect(status, path).toBe(200);
  return json;
}

async function tool(name: string, args: Json): Promise<Json> {
  const { json } = await moment.service.request("POST", "/mcp", {
    token: moment.token,
    headers: { accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
  });
  const result = json["result"] as { structuredContent?: Json; isError?: boolean };
  expect(result.isError ?? false, JSON.stringify(json)).toBe(false);
  return result.structuredContent ?? {};
}

const getPage = async (path: string): Promise<string> => {
  const { status, text } = await person.get(path);
  expect(status, path).toBe(200);
  return text;
};

type Faces = Record<string, FaceFacts>;

/** A fact that two faces state differently, for each pair of them. */
function contradictionsOf(name: string, faces: Faces): string[] {
  const found: string[] = [];
  const names = Object.keys(faces);
  for (const [place, one] of names.entries())
    for (const other of names.slice(place + 1))
      for (const [fact, value] of Object.entries(faces[one] ?? {})) {
        const others = faces[other]?.[fact];
        if (value === undefined || others === undefined || JSON.stringify(others) === JSON.stringify(value))
          continue;
        found.push(`${name}, ${fact}: ${one} ${JSON.stringify(value)}, ${other} ${JSON.stringify(others)}`);
      }
  return found;
}

/** Servers whose newest figures are slow while their verdict is healthy. */
const slowNow = new Set<string>();

/** What REST says, in the words of the other faces too. */
async function factsByRest(id: string, isMaintained: boolean): Promise<FaceFacts> {
  const [health, status] = [await rest(`/servers/${id}/health`), await rest(`/servers/${id}/status`)];
  const week = (await rest(`/servers/${id}/health?from=-7d`))["availability"] as Json;
  const alerts = await rest(`/alert-events?server_id=${id}&status=open`);
  if (shownVerdictOf(health["verdict"] as HealthVerdict, lateNowOf(status as never, now)) === "slow now")
    slowNow.add(id);
  const findings = list(health["findings"]);
  const { verdict } = health;
  return {
    ...factsByHealth(health),
    ...factsByStatus(status),
    "percent of 7 days": week["percent"] === null ? null : String(week["percent"]),
    "incidents of 7 days": week["incidents"],
    "public state": publicStateOf({ state: status["state"], verdict }, findingsOf(findings), isMaintained),
    "open alerts": list(alerts["data"]).length,
    "findings in words": findings.map(
      ({ code, severity }) => `${severity as string} ${healthFindingNames[code as FindingCode]}`,
    ),
    "minute of since": minuteOf(health["since"]),
    reasons: findings.filter(({ severity }) => severity !== "info").map(({ code }) => code),
  };
}

async function factsByConnector(id: string): Promise<FaceFacts> {
  const alerts = await tool("list_alerts", { server_id: id, status: "open" });
  return {
    ...factsByHealth(await tool("diagnose_server", { server_id: id, top: 25 })),
    ...factsByStatus(await tool("get_server_status", { server_id: id })),
    // It leaves out the zeros.
    availability: undefined,
    "open alerts": list(alerts["data"]).length,
  };
}

async function factsByServerPage(id: string): Promise<FaceFacts> {
  const { findings, state, ...facts } = factsByPage(await getPage(`/servers/${id}`));
  return { ...facts, "findings in words": findings, state: String(state).replaceAll(" ", "_") };
}

/** Everything that is asked of one server alone; what is asked first differs between servers. */
async function askOne({ linked: { id }, of }: PlayedServer, place: number): Promise<Faces> {
  const isMaintained = of.maintenanceMinutes !== null;
  const asking = {
    REST: () => factsByRest(id, isMaintained),
    connector: () => factsByConnector(id),
    "page of the server": () => factsByServerPage(id),
    check: async () => factsByCheck(await rest(`/servers/${id}/health`)),
  };
  const names = Object.keys(asking) as (keyof typeof asking)[];
  const faces: Faces = {};
  for (const step of names.keys()) {
    const name = names[(step + place) % names.length] ?? "REST";
    faces[name] = await asking[name]();
  }
  return faces;
}

/** The pages say `slow now` before the verdict of a healthy server follows, and then in a sentence of its own. */
const withoutSlowNow = (id: string, facts: FaceFacts): FaceFacts =>
  facts["verdict"] === "slow now" && slowNow.has(id)
    ? { ...facts, verdict: undefined, headline: undefined, since: undefined }
    : facts;

it("[OUR-HLT-115] every face says the same of 50 servers in random states, whatever is asked first", async () => {
  const asked = new Map<string, Faces>();
  for (const [place, server] of moment.servers.entries())
    asked.set(server.linked.id, await askOne(server, place));
  const [overview, fleet, fleetOfTool] = [
    await rest("/monitoring/overview?include_unmonitored=true"),
    await rest("/monitoring/health?limit=25"),
    await tool("diagnose_fleet", { limit: 25 }),
  ];
  const fleetHtml = await getPage("/servers");
  const digest = textOf(await getPage("/digest"));
  const publicText = textOf((await moment.service.request("GET", `/status/${moment.statusPage}`)).text);
  const contradictions: string[] = [];
  const counts = new Map<string, number>();
  for (const { linked, of } of moment.servers) {
    const faces: Faces = { ...asked.get(linked.id) };
    const [row, brief, connected] = [overview, fleet, fleetOfTool].map(({ data }) => rowOf(data, linked.id));
    if (row) faces["overview"] = factsByOverview(row);
    if (brief) faces["fleet"] = factsByFleet(brief);
    if (connected) faces["fleet of the connector"] = factsByFleet(connected);
    faces["page of all servers"] = withoutSlowNow(linked.id, factsByFleetPage(fleetHtml, linked.id));
    faces["page of the server"] = withoutSlowNow(linked.id, faces["page of the server"] ?? {});
    const { publicPercent, ...publicly } = factsInPublic(publicText, of.name);
    faces["status page"] = publicly;
    // Its days are whole seconds each.
    expect(Math.abs(Number(publicPercent) - Number(faces["REST"]?.["percent of 7 days"]))).toBeLessThan(0.02);
    const written = factsByDigest(digest, of.name);
    if (written) faces["digest"] = written;
    for (const face of Object.keys(faces)) counts.set(face, (counts.get(face) ?? 0) + 1);
    contradictions.push(...contradictionsOf(`${of.name} (${of.conditions})`, faces));
  }
  expect(contradictions).toEqual([]);
  const everywhere = [
    "REST",
    "connector",
    "page of the server",
    "check",
    "overview",
    "page of all servers",
    "status page",
  ];
  for (const face of everywhere) expect(counts.get(face), face).toBe(50);
  expect(counts.get("digest")).toBe(10);
  expect(warned).toEqual([]);
}, 100_000);

it("[OUR-HLT-115] a mail of an alert says what the alert, the timeline and the page of the alert say", async () => {
  const { app } = moment.service;
  const mails: Message[] = [];
  await deliverDue({
    db: app.db,
    plans: app.plans,
    meter: noMeter,
    signal: new AbortController().signal,
    clock: app.clock,
    warn: (_dispatch, why) => void warned.push(why),
    async sendMessage(_recipient, _channel, { message }) {
      mails.push(message);
      return { status: "sent" };
    },
  });
  const alerts = list((await rest("/alert-events?limit=100"))["data"]);
  const byTool = list((await tool("list_alerts", { limit: 100 }))["data"]);
  expect(mails.length).toBeGreaterThan(5);
  for (const { title, lines, link } of mails) {
    const alert = alerts.find(({ id }) => link === `/alerts/${id as string}`) ?? {};
    const event = alert["event"] as Json;
    expect(title).toContain(alert["server_name"]);
    expect(lines.join(" ")).toContain(event["title"]);
    expect(byTool.find(({ id }) => id === alert["id"])?.["event"]).toMatchObject({ title: event["title"] });
    expect(textOf(await getPage(link ?? ""))).toContain(event["title"]);
    const timeline = list((await rest(`/servers/${alert["server_id"] as string}/events?limit=100`))["data"]);
    expect(timeline.find(({ id }) => id === event["id"])?.["title"]).toBe(event["title"]);
  }
}, 100_000);
