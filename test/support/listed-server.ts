import mcproto from "mcproto";

let next = 0;

/** A server whose list shows so many players. */
export async function listedServer(
  online: number,
): Promise<{ readonly port: number; close(): Promise<unknown> }> {
  const server = new mcproto.Server({ generateKeyPair: false }, async (client) => {
    await client.nextPacket(0);
    await client.nextPacket(0);
    await client.send(new mcproto.PacketWriter(0).writeJSON({ players: { online, max: 20 } }));
  });
  server.on("error", () => undefined);
  // The library does not tell which port the system chose.
  const port = 40_000 + ((process.pid * 7 + next) % 20_000);
  next += 1;
  await server.listen(port, "127.0.0.1");
  return { port, close: () => server.close() };
}
