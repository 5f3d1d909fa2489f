import { createServer, request as forward } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** What stands before the service: a port of its own, whose requests carry a token the suite knows nothing of. */
export interface Front {
  readonly baseUrl: string;
  /** From here on everything goes there, headers as they came. */
  lead(port: number, token: string): void;
  close(): void;
}

export async function startFront(): Promise<Front> {
  const to = { port: 0, token: "" };
  const server = createServer((incoming, outgoing) => {
    const headers = [...incoming.rawHeaders, "authorization", `Bearer ${to.token}`];
    const { method = "GET", url = "/" } = incoming;
    const asked = forward({ host: "127.0.0.1", port: to.port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    asked.on("error", () => outgoing.destroy());
    incoming.pipe(asked);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead: (port, token) => void Object.assign(to, { port, token }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
