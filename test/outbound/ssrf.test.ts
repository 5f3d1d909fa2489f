import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { notifier } from "../../src/outbound/notifier.ts";
import { isPublicAddress } from "../../src/outbound/public-address.ts";
import { publicReach, type Reach } from "../../src/outbound/reach.ts";
import { sharedData } from "../support/shared-data.ts";
import {
  baseUrl,
  certificate,
  isPublic,
  lag,
  startReceiver,
  startTrap,
  watchConnections,
  type Receiver,
  type Trap,
  type Watch,
} from "./receiver.ts";

const recorded = sharedData("web/ssrf_urls.json");
const urls =
  recorded === null
    ? []
    : z.array(z.object({ url: z.string() })).parse(JSON.parse(readFileSync(recorded, "utf8")));

const outside = "93.184.215.14";
const mailFrom = { name: "", address: "tickmark@localhost" };
const reached = (reach: Reach) => notifier({ smtpUrl: null, baseUrl, mailFrom, reach });
const to = (url: string, reach: Reach) => reached(reach).send("chat", url, lag, "1");

let receiver: Receiver;
let traps: Trap[];
let watch: Watch;

beforeAll(async () => {
  receiver = await startReceiver();
  const inner = await startTrap("127.0.0.2");
  traps = [inner, await startTrap("127.0.0.1", inner.port), await startTrap("::1", inner.port)];
});
afterAll(async () => {
  await Promise.all([receiver, ...traps].map((listener) => listener.close()));
});
beforeEach(() => {
  watch = watchConnections();
  receiver.answer = (response) => void response.writeHead(204).end();
});
afterEach(() => {
  watch.stop();
  vi.unstubAllEnvs();
});

const trapped = (): number => traps.reduce((total, { connections }) => total + connections, 0);
const trapPort = (): number => traps[0]?.port ?? 0;

/** What a hostile name server would say: names of inner services point inside, `1.2.3.4.nip.io` at 1.2.3.4. */
const hostile = async (name: string): Promise<readonly string[]> => {
  const embedded = /(\d+\.\d+\.\d+\.\d+)\.nip\.io$/.exec(name)?.[1];
  if (embedded !== undefined) return [embedded];
  if (/^(localhost|ip6-.*|redirect-server)$/.test(name)) return ["127.0.0.1", "::1"];
  if (/metadata|instance-data|1u\.ms/.test(name)) return ["169.254.169.254"];
  return name.includes(".") ? [outside] : ["10.0.0.7"];
};

/** A URL as it was recorded, with its missing bracket, and as https on the port where the traps wait. */
const variantsOf = (url: string): readonly string[] => {
  const whole = url.replaceAll("${TEST_PORT}", String(trapPort()));
  const closed = whole.replace(/^(\w+:\/\/\[[^\]/]*)(\/|$)/, "$1]$2");
  const secure = closed.replace(/^\w+:\/\//, "https://");
  const aimed = URL.canParse(secure) ? new URL(secure) : null;
  if (aimed) aimed.port = String(trapPort());
  return [...new Set([whole, closed, secure, ...(aimed ? [aimed.href] : [])])];
};

describe("where a webhook may lead", () => {
  it.skipIf(recorded === null)(
    "[OUR-DLV-05] none of the recorded URLs, in any variant, makes a connection inside",
    async () => {
      const reach: Reach = { resolve: hostile, isAllowed: isPublicAddress };
      const before = trapped();
      let tried = 0;
      for (const { url } of urls) {
        for (const variant of variantsOf(url)) {
          tried += 1;
          expect((await to(variant, reach)).status, variant).toBe("failed");
        }
      }
      const inside = watch.targets.filter((target) => !isPublic(target));
      console.log(
        `SSRF: ${urls.length} URLs, ${tried} variants: connections to public addresses begun: ${watch.targets.length}, to others: ${inside.length}; taken by listeners inside: ${trapped() - before}`,
      );
      expect(inside).toEqual([]);
      expect(trapped()).toBe(before);
      expect(urls.length).toBe(303);
      expect(watch.targets.length).toBeGreaterThan(100);
    },
  );

  it("[OUR-DLV-05] a name that stands for a private address, alone or beside public ones, is not called", async () => {
    const answers = [
      ["127.0.0.1"],
      ["::1"],
      ["10.1.2.3"],
      ["169.254.169.254"],
      ["fd00:ec2::254"],
      ["::ffff:127.0.0.1"],
      ["64:ff9b::7f00:1"],
      [outside, "127.0.0.1"],
      ["127.0.0.1", outside],
      [outside, "2606:4700::1111", "::1"],
      [],
    ];
    const before = trapped();
    for (const found of answers) {
      const reach: Reach = { resolve: async () => found, isAllowed: isPublicAddress };
      expect(await to(`https://hooks.test.example:${trapPort()}/x`, reach)).toMatchObject({
        status: "failed",
        reason: "provider_error",
      });
    }
    console.log(
      `SSRF: ${answers.length} private, mixed and empty answers: connections begun: ${watch.targets.length}; taken inside: ${trapped() - before}`,
    );
    expect(watch.targets).toEqual([]);
    expect(trapped()).toBe(before);
  });

  it("[OUR-DLV-06] a name is looked up once, and what it stands for afterwards is never called", async () => {
    const rebinding = (first: string): Reach & { lookUps: number } => {
      const reach = {
        lookUps: 0,
        resolve: async () => ((reach.lookUps += 1) === 1 ? [first] : ["127.0.0.2"]),
        isAllowed: (address: string) => isPublicAddress(address) || address === "127.0.0.1",
        authority: certificate,
      };
      return reach;
    };
    const before = trapped();
    const blocked = rebinding(outside);
    expect((await to(`https://hooks.test.example:${trapPort()}/x`, blocked)).status).toBe("failed");
    const answered = rebinding("127.0.0.1");
    expect(await to(`https://hooks.test.example:${receiver.port}/x`, answered)).toEqual({ status: "sent" });
    console.log(
      `SSRF: rebinding: look-ups ${blocked.lookUps} and ${answered.lookUps}, connected to ${watch.targets.join(" and ")}; taken inside: ${trapped() - before}`,
    );
    expect([blocked.lookUps, answered.lookUps]).toEqual([1, 1]);
    expect(watch.targets).toEqual([outside, "127.0.0.1"]);
    expect(trapped()).toBe(before);
  });

  it("[OUR-DLV-07] no redirect is followed", async () => {
    const reach: Reach = {
      resolve: async () => ["127.0.0.1"],
      isAllowed: (address) => address.startsWith("127."),
      authority: certificate,
    };
    const before = trapped();
    const codes = [301, 302, 303, 307, 308];
    const locations = [`http://127.0.0.2:${trapPort()}/`, `https://[::1]:${trapPort()}/`, "//localhost/"];
    for (const code of codes) {
      for (const location of locations) {
        receiver.answer = (response) => void response.writeHead(code, { location }).end();
        expect(await to(`https://hooks.test.example:${receiver.port}/x`, reach)).toMatchObject({
          status: "failed",
          reason: "provider_error",
          detail: `answered ${code}`,
        });
      }
    }
    console.log(
      `SSRF: ${codes.length * locations.length} redirects inside: connections beyond the first: ${watch.targets.length - codes.length * locations.length}; taken inside: ${trapped() - before}`,
    );
    expect(watch.targets).toEqual(Array(codes.length * locations.length).fill("127.0.0.1"));
    expect(trapped()).toBe(before);
  });

  it("[OUR-DLV-07] no proxy of the environment is used, and its settings make no certificate good", async () => {
    for (const name of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])
      vi.stubEnv(name, `http://127.0.0.2:${trapPort()}`);
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    const before = trapped();
    const reach = { resolve: async () => ["127.0.0.1"], isAllowed: () => true };
    const url = `https://hooks.test.example:${receiver.port}/x`;
    expect(await to(url, { ...reach, authority: certificate })).toEqual({ status: "sent" });
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    expect(await to(url, reach)).toMatchObject({ detail: expect.stringContaining("SELF_SIGNED") });
    expect(trapped()).toBe(before);
  });

  it("[OUR-DLV-05] by default a webhook leads to the public internet alone", async () => {
    expect(publicReach.isAllowed).toBe(isPublicAddress);
    expect(publicReach.authority).toBeUndefined();
    const inner = notifier({ smtpUrl: null, baseUrl, mailFrom });
    for (const host of ["127.0.0.1", "[::1]", "2130706433", "0x7f.1", "127。0。0。1", "[::ffff:7f00:1]"]) {
      expect(await inner.send("chat", `https://${host}:${trapPort()}/`, lag, "1")).toMatchObject({
        status: "failed",
        reason: "provider_error",
        detail: "an address of the host is not allowed",
      });
    }
    expect(watch.targets).toEqual([]);
  });

  it("[OUR-DLV-06] a look-up that outlasts the exchange is given up", async () => {
    const given: AbortSignal[] = [];
    const reach: Reach = {
      resolve: (_name, signal) => {
        given.push(signal);
        return new Promise(() => {});
      },
      isAllowed: isPublicAddress,
    };
    expect(await to("https://hooks.test.example/", reach)).toMatchObject({ reason: "timeout" });
    expect(given.map(({ aborted }) => aborted)).toEqual([true]);
  });
});
