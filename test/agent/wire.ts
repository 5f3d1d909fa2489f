import { connect, createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";

/** A wire between an agent and a service, that can be cut and mended while both live. */
export interface Wire {
  readonly url: string;
  /** Where it leads; null: whoever connects is refused as by a service that is down. */
  lead(port: number | null): void;
  close(): Promise<void>;
}

export async function startWire(port: number): Promise<Wire> {
  let target: number | null = port;
  const open = new Set<Socket>();
  const server: Server = createServer((near) => {
    if (target === null) return near.resetAndDestroy();
    const far = connect(target, "127.0.0.1");
    open.add(near).add(far);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        other.destroy();
      });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port.");
  const cut = (): void => open.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${address.port}`,
    lead: (to) => {
      target = to;
      if (to === null) cut();
    },
    close: async () => {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
