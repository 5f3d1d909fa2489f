import { crc32, deflateRawSync } from "node:zlib";

/** An entry of a zip as a test puts it together; what is given replaces what the content would have. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array | string;
  /** 8 (deflated, the default), 0 (stored) or a method that nobody reads. */
  readonly method?: number;
  readonly declaredSize?: number;
  readonly declaredCrc?: number;
  readonly encrypted?: boolean;
}

const version = 20;

function packed({ content, method = 8 }: ZipEntry): { readonly plain: Buffer; readonly data: Buffer } {
  const plain = Buffer.from(content as Uint8Array);
  return { plain, data: method === 8 ? deflateRawSync(plain) : plain };
}

/** The most entries that a zip without the records of zip64 can count. */
const mostWithoutZip64 = 0xfffe;

/** The records of zip64, which stand before the end of a zip; `recordAt`: where the first of them is said to be. */
function zip64Records(count: number, directory: { size: number; at: number }, recordAt: number): Buffer {
  const record = Buffer.alloc(56);
  record.write("PK\x06\x06", 0, "latin1");
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(45, 12);
  record.writeUInt16LE(45, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(directory.size), 40);
  record.writeBigUInt64LE(BigInt(directory.at), 48);
  const locator = Buffer.alloc(20);
  locator.write("PK\x06\x07", 0, "latin1");
  locator.writeBigUInt64LE(BigInt(recordAt), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator]);
}

export interface Forged {
  readonly declaredCount?: number;
  /** Where the records of zip64 are said to be; a zip of more than 65,534 entries has them. */
  readonly zip64At?: number;
}

/** A zip file; nothing is checked, so that forged ones can be made. */
export function zip(
  entries: readonly ZipEntry[],
  { declaredCount = entries.length, zip64At }: Forged = {},
): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const { plain, data } = packed(entry);
    const name = Buffer.from(entry.name, "utf8");
    // From "version needed" to "length of the extra field": the same in both headers.
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(version, 0);
    shared.writeUInt16LE(entry.encrypted === true ? 1 : 0, 2);
    shared.writeUInt16LE(entry.method ?? 8, 4);
    shared.writeUInt32LE(entry.declaredCrc ?? crc32(plain), 10);
    shared.writeUInt32LE(data.length, 14);
    shared.writeUInt32LE(entry.declaredSize ?? plain.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const localHeader = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), shared, name, data]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    central.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), shared, tail, name]));
    local.push(localHeader);
    at += localHeader.length;
  }
  const directory = Buffer.concat(central);
  const isZip64 = declaredCount > mostWithoutZip64 || zip64At !== undefined;
  const place = { size: directory.length, at };
  const records = isZip64 ? zip64Records(declaredCount, place, zip64At ?? at + directory.length) : null;
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(isZip64 ? 0xffff : declaredCount, 8);
  end.writeUInt16LE(isZip64 ? 0xffff : declaredCount, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(isZip64 ? 0xffffffff : at, 16);
  return Buffer.concat([...local, directory, records ?? Buffer.alloc(0), end]);
}
