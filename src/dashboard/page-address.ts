import type { FastifyRequest } from "fastify";

/** A part of the page, or data for its script, which a request asks for. */
export interface Piece {
  readonly kind: "part" | "data";
  readonly name: string;
}

/** The address without the name of a piece. */
export function pageAddressOf(request: FastifyRequest) {
  const [path = "/", text = ""] = request.url.split("?", 2);
  const query = new URLSearchParams(text);
  const kind = (["part", "data"] as const).find((kind) => query.has(kind));
  if (kind === undefined) return { piece: null, path, query, url: request.url };
  const piece: Piece = { kind, name: query.get(kind) ?? "" };
  query.delete(kind);
  return { piece, path, query, url: query.size === 0 ? path : `${path}?${query}` };
}
