import { inflateSync } from "node:zlib";

/** The pixels of a PNG of eight bits a channel, red, green, blue and alpha. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  at(x: number, y: number): readonly [number, number, number];
}

/** Reads a PNG by its specification (RFC 2083): header, inflated rows, and the filter of each. */
export function readPng(png: Buffer): Picture {
  if (png.subarray(0, 8).toString("hex") !== "89504e470d0a1a0a") throw new Error("Not a PNG.");
  const parts: Buffer[] = [];
  let [width, height] = [0, 0];
  for (let offset = 8; offset < png.length;) {
    const length = png.readUInt32BE(offset);
    const type = png.toString("latin1", offset + 4, offset + 8);
    const data = png.subarray(offset + 8, offset + 8 + length);
    if (type === "IHDR") {
      [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
      if (data[8] !== 8 || data[9] !== 6 || data[12] !== 0) throw new Error("Not eight bits of RGBA.");
    }
    if (type === "IDAT") parts.push(data);
    offset += length + 12;
  }
  const pixels = unfiltered(inflateSync(Buffer.concat(parts)), width * 4, height);
  const at = (x: number, y: number) => {
    const place = (y * width + x) * 4;
    return [pixels[place] ?? 0, pixels[place + 1] ?? 0, pixels[place + 2] ?? 0] as const;
  };
  return { width, height, at };
}

function unfiltered(bytes: Buffer, rowLength: number, height: number): Uint8Array {
  const pixels = new Uint8Array(rowLength * height);
  for (let row = 0; row < height; row += 1) {
    const filter = bytes[row * (rowLength + 1)] ?? 0;
    for (let index = 0; index < rowLength; index += 1) {
      const here = row * rowLength + index;
      const left = index < 4 ? 0 : (pixels[here - 4] ?? 0);
      const up = row === 0 ? 0 : (pixels[here - rowLength] ?? 0);
      const corner = row === 0 || index < 4 ? 0 : (pixels[here - rowLength - 4] ?? 0);
      const byte = bytes[row * (rowLength + 1) + 1 + index] ?? 0;
      pixels[here] = byte + predicted(filter, left, up, corner);
    }
  }
  return pixels;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [toLeft, toUp, toCorner] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs);
  if ((toLeft ?? 0) <= (toUp ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left;
  return (toUp ?? 0) <= (toCorner ?? 0) ? up : corner;
}
