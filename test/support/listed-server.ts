import mcproto from "mcproto";
import { freePort } from "./free-port.ts";

/** A server whose list shows so many players. */
export const listedServer = (online: number): Promise<{ readonly port: number; close(): Promise<unknown> }> =>
  serverThatLists({ players: { online, max: 20 } });

/** A server that somebody else wrote: it decodes the handshake, and frames what it is given as its status. */
export async function serverThatLists(
  status: unknown,
  onHandshake: (handshake: number[]) => void = () => undefined,
): Promise<{ readonly port: number; close(): Promise<unknown> }> {
  const server = new mcproto.Server({ generateKeyPair: false }, async (client) => {
    const packet = await client.nextPacket(0);
    onHandshake([packet.readVarInt(), packet.readString().length, packet.readUInt16(), packet.readVarInt()]);
    await client.nextPacket(0);
    await client.send(new mcproto.PacketWriter(0).writeJSON(status));
  });
  server.on("error", () => undefined);
  // The library does not tell which port the system chose, so a free one is looked for; somebody else may be quicker.
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      await server.listen(port, "127.0.0.1");
      return { port, close: () => server.close() };
    } catch (error) {
      if (attempt === 5 || !(error instanceof Error && "code" in error && error.code === "EADDRINUSE"))
        throw error;
    }
  }
}
