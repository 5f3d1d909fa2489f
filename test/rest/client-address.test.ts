import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { callerAddress } from "../../src/rest/client-address.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { windowsOf } from "../endpoints/access/windows-of.ts";

let service: TestService;
afterEach(() => service.close());

const from = (forwarded: string, more: Record<string, string> = {}) =>
  service.request("GET", "/api/v1/reports", { headers: { "x-forwarded-for": forwarded, ...more } });

/** How many of many calls were granted; Free has 10 a day. */
async function granted(count: number, ask: (index: number) => ReturnType<typeof from>): Promise<number> {
  let grants = 0;
  for (let index = 0; index < count; index += 50) {
    const batch = Array.from({ length: Math.min(50, count - index) }, (_, offset) => ask(index + offset));
    grants += (await Promise.all(batch)).filter(({ status }) => status === 200).length;
  }
  return grants;
}

describe("whose call an anonymous one is", () => {
  it("[QUO-05] [OUR-HTTP-09] with no proxy configured, 1,000 spoofed X-Forwarded-For win nothing", async () => {
    service = await startTestService();
    const spoofed = await granted(1000, (index) =>
      from(`203.0.113.${index % 250}, 198.51.100.${index % 7}`, {
        forwarded: `for=192.0.2.${index % 250}`,
        "x-real-ip": `192.0.2.${index % 250}`,
        "cf-connecting-ip": "192.0.2.1",
      }),
    );
    console.log(`1,000 spoofed X-Forwarded-For: ${spoofed - 10} extra grants`);
    expect(spoofed).toBe(10);
  });

  it("[OUR-HTTP-09] a proxy outside the configured ranges is not believed either", async () => {
    service = await startTestService({ trustProxy: "10.0.0.0/8, 192.0.2.7" });
    expect(await granted(30, (index) => from(`203.0.113.${index}`))).toBe(10);
  });

  it("[OUR-HTTP-09] behind a configured one the address is the last the proxies did not write themselves", async () => {
    service = await startTestService({ trustProxy: "127.0.0.0/8, 10.0.0.0/8" });
    const spoofed = await granted(1000, (index) =>
      from(`198.51.100.${index % 250}, 203.0.113.7, 10.0.0.${index % 5}`),
    );
    console.log(`1,000 spoofed entries before a trusted proxy's: ${spoofed - 10} extra grants`);
    expect(spoofed).toBe(10);
    expect(await granted(30, () => from("203.0.113.8"))).toBe(10);
    expect(await granted(30, (index) => from(`not an address ${index}`))).toBe(10);
  });

  it("[OUR-HTTP-09] one IPv6 /64 is one caller, an IPv4-mapped address its IPv4 one", async () => {
    service = await startTestService({ trustProxy: "127.0.0.1" });
    expect(await granted(200, (index) => from(`2001:db8::${((index * 7919) % 65_536).toString(16)}:1`))).toBe(
      10,
    );
    expect(windowsOf(await from("2001:db8:0:1::1")).remaining).toBe(9);
    expect(windowsOf(await from("2001:DB8:0:1:ffff::9")).remaining).toBe(8);
    expect(windowsOf(await from("203.0.113.9")).remaining).toBe(9);
    expect(windowsOf(await from("::ffff:203.0.113.9")).remaining).toBe(8);
    expect(windowsOf(await from("::ffff:cb00:7109")).remaining).toBe(7);
  });

  it("[OUR-HTTP-09] bytes that are no HTTP are answered with the windows of the socket's address", async () => {
    service = await startTestService();
    await from("203.0.113.9");
    const answer = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(service.port, "127.0.0.1", () => socket.write("NOT HTTP\r\n\r\n"));
      socket.on("data", (chunk: Buffer) => {
        text += chunk.toString("latin1");
      });
      socket.on("close", () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("x-ratelimit-remaining: 9\r\n");
  });

  it("[OUR-HTTP-09] the key of an address", async () => {
    service = await startTestService();
    expect(callerAddress("203.0.113.9")).toBe("203.0.113.9");
    expect(callerAddress("2001:db8:1:2:3:4:5:6")).toBe(callerAddress("2001:db8:1:2::"));
    expect(callerAddress("2001:db8:1:2::")).not.toBe(callerAddress("2001:db8:1:3::"));
    // As programs that lock networks out take it.
    expect(callerAddress("2001:DB8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
    expect(callerAddress("::1")).toBe("::/64");
    expect(callerAddress("fe80::1%eth0")).toBe(callerAddress("fe80::2"));
    for (const text of ["", "unknown", "203.0.113.9:80"]) expect(callerAddress(text)).toBe("unknown");
  });
});
