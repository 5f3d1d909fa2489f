import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";

/** A certificate of X.509 and its key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly name: string;
  readonly privateKey: KeyObject;
}

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const ecdsaWithSha256 = sequence(identifier("2a8648ce3d040302"));
const commonName = (name: string): Buffer =>
  sequence(der(0x31, sequence(identifier("550403"), der(0x0c, Buffer.from(name)))));
const time = (at: Date): Buffer =>
  der(0x18, Buffer.from(`${at.toISOString().replaceAll(/[-:T]|\.\d+/g, "")}`));
const isTrue = der(0x01, Buffer.from([0xff]));

const dayMs = 24 * 60 * 60 * 1000;

interface Wanted {
  readonly name: string;
  /** Itself where it is left out. */
  readonly issuer?: Certificate;
  readonly isAuthority?: boolean;
  /** The addresses it is for; IPv4 ones are those of digits. */
  readonly hosts?: readonly string[];
  /** Days from now. */
  readonly from?: number;
  readonly until?: number;
}

let serial = 0;

/** Makes a certificate with a key of its own, of the curve P-256. */
export function certificateOf({
  name,
  issuer,
  isAuthority = false,
  hosts = [],
  from = -1,
  until = 1,
}: Wanted): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const names = hosts.map((host) =>
    /^[\d.]+$/.test(host)
      ? der(0x87, Buffer.from(host.split(".").map(Number)))
      : der(0x82, Buffer.from(host)),
  );
  const extensions = [
    ...(isAuthority ? [sequence(identifier("551d13"), isTrue, der(0x04, sequence(isTrue)))] : []),
    ...(names.length > 0 ? [sequence(identifier("551d11"), der(0x04, sequence(...names)))] : []),
  ];
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([(serial += 1)])),
    ecdsaWithSha256,
    commonName(issuer?.name ?? name),
    sequence(time(new Date(Date.now() + from * dayMs)), time(new Date(Date.now() + until * dayMs))),
    commonName(name),
    publicKey.export({ type: "spki", format: "der" }),
    ...(extensions.length > 0 ? [der(0xa3, sequence(...extensions))] : []),
  );
  const signature = sign("sha256", signed, issuer?.privateKey ?? privateKey);
  const whole = sequence(signed, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    cert: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    name,
    privateKey,
  };
}
