import { recordHeartbeat } from "../../../src/services/metric/record-heartbeat.ts";
import type { Account } from "../../../src/core/access/account.ts";
import { ReportedSample } from "../../../src/core/metric/reported-sample.ts";
import type { ServerRecord } from "../../../src/core/server/server.ts";
import type { AppContext } from "../../../src/contract/call/app-context.ts";
import { roomy, testApp, type TestApp } from "../../support/test-app.ts";
import { facesOf } from "../../support/faces.ts";
import type { Json } from "../../support/payload.ts";

export interface Answered {
  readonly status: number;
  readonly body: Json;
  readonly headers: Readonly<Record<string, unknown>>;
}

type Method = "GET" | "POST" | "PATCH";

/** The REST face of a door, asked by whoever holds `secret`. */
export function restOf(app: AppContext) {
  const { http } = facesOf(app);
  const call = async (
    secret: string | null,
    method: Method,
    path: string,
    payload?: object,
    headers: Record<string, string> = {},
  ): Promise<Answered> => {
    const answer = await http.inject({
      method,
      url: `/api/v1${path}`,
      headers: { ...(secret !== null && { authorization: `Bearer ${secret}` }), ...headers },
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, body: answer.json<Json>(), headers: answer.headers };
  };
  return { call, close: () => http.close() };
}

/** Pro, with as many monitored servers as a suite likes. */
const plans = { ...roomy, pro: { ...roomy.pro, monitored_servers: 1000 } };

/** The service without a socket, an account on Pro with one server, and how to ask for it. */
export async function alertingScene() {
  const test: TestApp = testApp({ plans });
  const rest = restOf(test.app);
  const owner: Account = await test.account("pro");
  const { secret } = await test.token(owner);
  const server: ServerRecord = await test.server(owner, { name: "Lobby" });

  /** A sample of that server now. */
  const beat = async (values: Json, of = server): Promise<void> => {
    await test.app.db.write(recordHeartbeat, {
      serverId: of.id,
      receivedAt: test.clock.now,
      bootTimestamp: null,
      lastTickAgeMs: 40,
      announcement: null,
      limits: test.app.plans.pro,
      sample: {
        sampledAt: test.clock.now,
        reported: ReportedSample.parse({ sampled_at: new Date(test.clock.now).toISOString(), ...values }),
      },
    });
  };
  const ask = (
    method: Method,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Answered> => rest.call(secret, method, path, body, headers);
  /** A rule of the owner's that was surely made. */
  const rule = async (changes: Json = {}, of = server): Promise<Json> => {
    const sent = {
      name: "Low TPS",
      metric: "tps",
      condition: "below",
      threshold: 18,
      duration_minutes: 0,
      cooldown_minutes: 0,
    };
    const { status, body } = await ask("POST", `/servers/${of.id}/alert-rules`, { ...sent, ...changes });
    if (status !== 201) throw new Error(`No rule was made: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const alerts = async (query = ""): Promise<Json[]> => {
    const { status, body } = await ask("GET", `/alert-events${query}`);
    if (status !== 200) throw new Error(`No alerts: ${status} ${JSON.stringify(body)}`);
    return body["data"] as Json[];
  };
  const timeline = async (): Promise<Json[]> => {
    const { body } = await ask("GET", `/servers/${server.id}/events?category=security`);
    return body["data"] as Json[];
  };
  const close = async (): Promise<void> => {
    await rest.close();
    await test.close();
  };
  return { test, rest, owner, secret, server, beat, ask, rule, alerts, timeline, close };
}

export type AlertingScene = Awaited<ReturnType<typeof alertingScene>>;
