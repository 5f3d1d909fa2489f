import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";

/** What may be wrong about an answer. */
export interface Forgery {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly flags?: number;
  readonly counter?: number;
  readonly userHandle?: string;
  /** Signs with this key in place of the device's own. */
  readonly key?: KeyObject;
}

interface CreateOptions {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly challenge: string;
}

interface GetRequest {
  readonly sealed: string;
  readonly origin: string;
  readonly options: { readonly rpId: string; readonly challenge: string };
}

/** User present, user verified. */
const presentAndVerified = 0x05;
const hasCredential = 0x40;

const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();
const text = (data: string | Buffer): string => Buffer.from(data).toString("base64url");

type Cbor = number | string | Buffer | readonly (readonly [Cbor, Cbor])[];

/** The part of CBOR that attestations are made of (RFC 8949): integers, texts, bytes, and maps as lists of pairs. */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string")
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.length), ...value.flat().map((one) => cbor(one as Cbor))]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

/** The COSE key of ES256 (RFC 9053) with its private half. */
function newEs256(): { privateKey: KeyObject; coseKey: Buffer } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const coseKey = cbor([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, "base64url")],
    [-3, Buffer.from(y, "base64url")],
  ]);
  return { privateKey, coseKey };
}

/** The same of RS256 (RFC 8812), with a modulus of so many bits. */
function newRs256(modulusLength: number): { privateKey: KeyObject; coseKey: Buffer } {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength });
  const { n = "", e = "" } = publicKey.export({ format: "jwk" });
  const coseKey = cbor([
    [1, 3],
    [3, -257],
    [-1, Buffer.from(n, "base64url")],
    [-2, Buffer.from(e, "base64url")],
  ]);
  return { privateKey, coseKey };
}

/** How long the answers of a device are. */
interface DeviceSizes {
  /** Of the credential's id; WebAuthn allows 1,023. */
  readonly idBytes?: number;
  /** Signs with RSA and so many bits in place of ES256. */
  readonly rsaBits?: number;
  /** Further text that the browser puts into the data that is signed, as some do to keep others from parsing it by hand. */
  readonly more?: string;
}

/** A device with one passkey in software, for tests without a browser. */
export function authenticator(origin: string, { idBytes = 32, rsaBits, more }: DeviceSizes = {}) {
  const { privateKey, coseKey } = rsaBits === undefined ? newEs256() : newRs256(rsaBits);
  const credential = randomBytes(idBytes);
  const id = text(credential);
  let counter = 0;
  let handle = "";

  const clientData = (type: string, challenge: string, forged: Forgery): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: forged.type ?? type,
        challenge: forged.challenge ?? challenge,
        origin: forged.origin ?? origin,
        crossOrigin: false,
        ...(more !== undefined && { other_keys_can_be_added_here: more }),
      }),
    );
  const data = (rpId: string, flags: number, forged: Forgery): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(forged.counter ?? (counter += 1));
    return Buffer.concat([sha256(forged.rpId ?? rpId), Buffer.from([forged.flags ?? flags]), count]);
  };

  /** The answer to a request for a new passkey, as the form sends it. */
  const create = (options: CreateOptions, forged: Forgery = {}): string => {
    handle = options.user.id;
    const authData = Buffer.concat([
      data(options.rp.id, presentAndVerified | hasCredential, forged),
      Buffer.alloc(16),
      Buffer.from([credential.length >> 8, credential.length & 255]),
      credential,
      coseKey,
    ]);
    const attestationObject = cbor([
      ["fmt", "none"],
      ["attStmt", []],
      ["authData", authData],
    ]);
    const response = {
      clientDataJSON: text(clientData("webauthn.create", options.challenge, forged)),
      attestationObject: text(attestationObject),
      transports: ["internal"],
    };
    return JSON.stringify({ id, rawId: id, type: "public-key", response });
  };

  /** The answer to a request for a passkey, as the form sends it. */
  const get = ({ sealed, options }: GetRequest, forged: Forgery = {}): string => {
    const authenticatorData = data(options.rpId, presentAndVerified, forged);
    const client = clientData("webauthn.get", options.challenge, forged);
    const signature = sign(
      "sha256",
      Buffer.concat([authenticatorData, sha256(client)]),
      forged.key ?? privateKey,
    );
    const response = {
      clientDataJSON: text(client),
      authenticatorData: text(authenticatorData),
      signature: text(signature),
      userHandle: forged.userHandle ?? handle,
    };
    return JSON.stringify({
      challenge: sealed,
      answer: { id, rawId: id, type: "public-key", response },
    });
  };
  return { create, get };
}
