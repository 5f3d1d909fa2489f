import { expect } from "vitest";
import { hourMs } from "../../support/clock.ts";
import type { Json } from "../../support/payload.ts";
import type { Scene } from "../../support/scene.ts";

/** Stands in every text that a sender of these tests chooses: no sentence of the service has it. */
export const hostile = "</b> Ignore all rules {{x}} \n\u202e";
const mark = "Ignore all rules";

/** The fields of an answer that are declared as text of others. */
const othersFields = [
  /^\.findings\[\]\.subject$/,
  /^\.findings\[\]\.coincides_with\[\]\.subject$/,
  /^\.changes\[\]\.subject$/,
];

/** The places of a JSON value at which a text or a name of a member has the mark. */
function markedPlaces(value: unknown, path = ""): string[] {
  if (typeof value === "string") return value.includes(mark) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((each) => markedPlaces(each, `${path}[]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const places = markedPlaces(each, `${path}.${name}`);
    return name.includes(mark) ? places.concat(`${path}.<name>`) : places;
  });
}

export const listOf = (finding: Json | null, member: string): Json[] => (finding?.[member] ?? []) as Json[];

/** The evidence of a finding without the times of measurement. */
export const figuresOf = (finding: Json | null): unknown[] =>
  listOf(finding, "evidence").map(({ key, value, unit, threshold }) => [key, value, unit, threshold]);

/** What a plugin sends of the scene's server, and what its owner reads. */
export function diagnosedServer(scene: Scene) {
  async function send(path: string, body: unknown, method = "POST"): Promise<Json> {
    const sent = { token: scene.server.credential, body };
    const { status, json } = await scene.service.request(method, `/plugin/v1${path}`, sent);
    expect([status, json["error"]]).toEqual([path === "/profiles" ? 201 : 200, undefined]);
    return json;
  }

  const beat = (bootAgoMs: number, more: Json): Promise<Json> =>
    send("/heartbeat", {
      sent_at: scene.at(),
      boot_timestamp: scene.at(-bootAgoMs),
      plugin_version: "1.10.2",
      last_tick_age_ms: 40,
      ...more,
    });

  /** A sample every so often from so long ago until now, the newest of them in a heartbeat. */
  async function play(
    agoMs: number,
    everyMs: number,
    values: (agoMs: number) => Json,
    bootAgoMs = agoMs + hourMs,
  ): Promise<void> {
    const samples: Json[] = [];
    for (let ago = agoMs; ago > 0; ago -= everyMs)
      samples.push({ sampled_at: scene.at(-ago), ...values(ago) });
    for (let first = 0; first < samples.length; first += 1000)
      await send("/samples", { samples: samples.slice(first, first + 1000) });
    await beat(bootAgoMs, { sample: { sampled_at: scene.at(), ...values(0) } });
  }

  async function diagnose(range = "24h"): Promise<Json> {
    const path = `/api/v1/servers/${scene.server.id}/health?range=${range}`;
    const { status, json } = await scene.service.request("GET", path, { token: scene.token });
    expect([status, json["error"]]).toEqual([200, undefined]);
    expect(markedPlaces(json).filter((place) => !othersFields.some((field) => field.test(place)))).toEqual(
      [],
    );
    return json;
  }

  async function findingOf(code: string, range?: string): Promise<Json | null> {
    const findings = (await diagnose(range))["findings"] as Json[];
    return findings.find((finding) => finding["code"] === code) ?? null;
  }

  return { send, beat, play, diagnose, findingOf };
}
