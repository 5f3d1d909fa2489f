import type { Account } from "../../../src/core/access/account.ts";
import type { PlanName } from "../../../src/core/access/plan.ts";
import type { TestServiceOptions } from "../../support/service.ts";
import { startTestService, type Json, type LinkedServer } from "../../support/service.ts";
import { signedIn, type Visitor } from "../../support/visitor.ts";

export const epoch = Date.UTC(2026, 10, 20, 8);

/** The text of a page without tags, with entities decoded and white space collapsed. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<(script|style)[\s\S]*?<\/\1>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ");

/** How many elements a page has. */
export const elementsOf = (html: string): number => [...html.matchAll(/<[a-z][^\s/>]*/gi)].length;

/** A service with a clock, a person with one monitored server, and what happens to it. */
export async function alertPages(options: Omit<TestServiceOptions, "clock"> = {}, plan: PlanName = "pro") {
  const clock = { now: epoch };
  const service = await startTestService({ ...options, clock: () => clock.now });
  const owner: Account = await service.account(plan);
  const visitor: Visitor = await signedIn(service, owner);
  const server: LinkedServer = await service.server(owner, { name: "Lobby" });
  const beat = async (values: Json, of = server): Promise<void> => {
    const sent = new Date(clock.now).toISOString();
    const body = {
      sent_at: sent,
      boot_timestamp: "2026-11-20T06:00:00.000Z",
      plugin_version: "1.10.2",
      last_tick_age_ms: 40,
      sample: { sampled_at: sent, ...values },
    };
    const answer = await service.request("POST", "/plugin/v1/heartbeat", { token: of.credential, body });
    if (answer.status !== 200) throw new Error(`No heartbeat: ${answer.text}`);
  };
  /** Heartbeats every 30 seconds for so many minutes. */
  const beats = async (minutes: number, values: Json): Promise<void> => {
    for (let passed = 0; passed < minutes * 2; passed += 1) {
      clock.now += 30_000;
      await beat(values);
      await service.service.work.run();
    }
  };
  const events = async (...sent: readonly Json[]): Promise<void> => {
    const answer = await service.request("POST", "/plugin/v1/events", {
      token: server.credential,
      body: { events: sent },
    });
    if (answer.status >= 300) throw new Error(`No events: ${answer.text}`);
  };
  const rules = `/servers/${server.id}/rules`;
  return { clock, service, owner, visitor, server, beat, beats, events, rules };
}

/** Sends a form that its page does not show any more, with the token of a page that has one. */
export async function post(
  { service }: Pick<AlertPages, "service">,
  { get, cookies }: Visitor,
  path: string,
  action: string,
  fields: Readonly<Record<string, string>> = {},
) {
  const token = /name="_csrf" value="([^"]*)"/.exec((await get("/settings/notifications")).text)?.[1] ?? "";
  return service.request("POST", path, {
    headers: {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ _csrf: token, do: action, ...fields }).toString(),
  });
}

export type AlertPages = Awaited<ReturnType<typeof alertPages>>;

/** The first identifier after `before` in a page. */
export const idAfter = (html: string, before: string): string =>
  new RegExp(`${before}([0-9a-f-]{36})`).exec(html)?.[1] ?? "";
