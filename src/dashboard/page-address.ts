import type { FastifyRequest } from "fastify";

/** The piece of a page that a request is for: a part, or data for its script. */
export interface Piece {
  readonly kind: "part" | "data";
  readonly name: string;
}

/** The address of the page that a request is for, without the name of a piece. */
export function pageAddressOf(request: FastifyRequest) {
  const [path = "/", text = ""] = request.url.split("?", 2);
  const query = new URLSearchParams(text);
  const kind = (["part", "data"] as const).find((kind) => query.has(kind));
  if (kind === undefined) return { piece: null, path, query, url: request.url };
  const piece: Piece = { kind, name: query.get(kind) ?? "" };
  query.delete(kind);
  return { piece, path, query, url: query.size === 0 ? path : `${path}?${query}` };
}
