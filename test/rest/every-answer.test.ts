import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

/** One answer of each part of the service that gives any: what is sent, and its status. */
const requests: readonly (readonly [status: number, bytes: string])[] = [
  [200, "GET /healthz HTTP/1.1"],
  [200, "GET /api/v1/reports HTTP/1.1"],
  [200, "GET /api/v1/openapi.json HTTP/1.1"],
  [404, "GET /api/v1/nothing HTTP/1.1"],
  [405, "DELETE /api/v1/reports HTTP/1.1"],
  [401, "POST /api/v1/server-groups HTTP/1.1"],
  [401, "POST /plugin/v1/heartbeat HTTP/1.1"],
  [401, "POST /agent/v1/jobs/claim HTTP/1.1"],
  [401, "POST /mcp HTTP/1.1"],
  [405, "GET /mcp HTTP/1.1"],
  [200, "GET /set-up HTTP/1.1"],
  [303, "GET /settings HTTP/1.1"],
  [403, "POST /sign-in HTTP/1.1"],
  [404, "GET /no-such-page HTTP/1.1\r\nAccept: text/html"],
  [404, "GET /assets/1/none HTTP/1.1"],
  [200, "GET /.well-known/oauth-authorization-server HTTP/1.1"],
  [204, "OPTIONS /oauth/token HTTP/1.1"],
  [400, "POST /oauth/token HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 0"],
  [400, "GET /healthz HTTP/1.1\r\nHost: b"],
  [404, "GET /%zz HTTP/1.1"],
  [400, "GET /healthz HTTP/1.1\r\nContent-Length: x"],
  [400, "NONSENSE"],
  [431, `GET /healthz HTTP/1.1\r\nX: ${"a".repeat(20_000)}`],
];

function headOf({ port }: TestService, host: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(`${bytes}\r\nHost: ${host}\r\n\r\n`));
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (text.includes("\r\n\r\n")) socket.destroy();
    });
    socket.on("error", () => {}).on("close", () => resolve(text.split("\r\n\r\n", 1)[0] ?? ""));
  });
}

describe.each(["http", "https"])("a service at an %s address", (scheme) => {
  it("[OUR-HTTP-19] says nosniff with every answer, and https for a year where it is reached by https", async () => {
    const service = await startTestService({ baseUrl: `${scheme}://tickmark.example` });
    for (const [status, bytes] of requests) {
      const head = await headOf(service, "tickmark.example", bytes);
      const what = bytes.slice(0, 60);
      expect([what, /^HTTP\/1\.1 (\d+)/.exec(head)?.[1]]).toEqual([what, String(status)]);
      expect([what, head.match(/\r\nx-content-type-options: nosniff(?=\r\n|$)/gi)?.length]).toEqual([
        what,
        1,
      ]);
      const lasting = head.match(/\r\nstrict-transport-security: max-age=31536000(?=\r\n|$)/gi)?.length ?? 0;
      expect([what, lasting]).toEqual([what, scheme === "https" ? 1 : 0]);
    }
    expect(service.defects).toEqual([]);
    await service.close();
  });
});
