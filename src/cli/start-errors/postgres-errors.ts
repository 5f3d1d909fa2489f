import { CommandError, exitStatus } from "../output.ts";
import { errorFacts } from "./facts.ts";

/** Where the database was looked for, without the password. */
interface PostgresPlace {
  /** Host and port, or the folder of a socket. */
  readonly server: string;
  readonly user: string;
  readonly database: string;
}

function placeOf(url: string): PostgresPlace {
  // PostgreSQL takes an address with a user and no host (a parameter names the socket); URL does not.
  const whole = url.replace("@/", "@localhost/");
  const parsed = URL.canParse(whole) ? new URL(whole) : null;
  const parameter = (name: string): string => parsed?.searchParams.get(name) ?? "";
  const host = parameter("host") || decoded(parsed?.hostname ?? "") || "localhost";
  const user = decoded(parsed?.username ?? "") || parameter("user");
  return {
    server: host.startsWith("/") ? host : `${host}:${parsed?.port || parameter("port") || "5432"}`,
    user: user || "(none named)",
    database: decoded(parsed?.pathname.slice(1) ?? "") || user || "(none named)",
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** TLS codes of Node.js and OpenSSL. */
const isTls = (code: string): boolean =>
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)/.test(code);

/** Null for an error that is not of PostgreSQL. */
export function postgresError(error: unknown, url: string): CommandError | null {
  const { code, message, syscall } = errorFacts(error);
  const { server, user, database } = placeOf(url);
  const correct = "Correct TICKMARK_DATABASE_URL";
  const failed = (words: string): CommandError => new CommandError(`PostgreSQL at ${server} ${words}`);
  const misconfigured = (words: string): CommandError =>
    new CommandError(`PostgreSQL at ${server} ${words}`, exitStatus.usage);
  if (code !== null && isTls(code))
    return misconfigured(
      `is not trusted (${code}): name its certificate authority by sslrootcert in TICKMARK_DATABASE_URL.`,
    );
  if (/does not support SSL/.test(message))
    return misconfigured(
      "does not take TLS: switch it on there, or leave sslmode out of TICKMARK_DATABASE_URL.",
    );
  switch (code) {
    case "ECONNREFUSED":
      return failed(`refuses the connection: start it. ${correct} if it is elsewhere.`);
    case "ENOENT":
      return failed(`has no socket there: start it. ${correct} if it is elsewhere.`);
    case "EACCES":
      return failed("may not be reached by this user: let this user use the socket.");
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return failed(`was not found: this name has no address (${code}). ${correct}, or the DNS.`);
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return failed(
        `is not reached (${code}): check the network and its firewall. ${correct} if it is elsewhere.`,
      );
    case "ECONNRESET":
    case "EPIPE":
      return failed("ends the connection: look at its log, and at what is between (a pooler, a firewall).");
    case "28P01":
      return misconfigured(`refuses the password of the user ${user}. ${correct}.`);
    case "28000":
      return misconfigured(
        `does not let the user ${user} in from here (pg_hba.conf): ${message}. ${correct}, or allow it there.`,
      );
    case "3D000":
      return misconfigured(
        `has no database ${database}. Make it (createdb), or correct TICKMARK_DATABASE_URL.`,
      );
    case "42501":
      return misconfigured(
        `does not let the user ${user} do this in the database ${database}: ${message}. Make that user its owner (ALTER DATABASE … OWNER TO …).`,
      );
    case "53300":
      return failed("has no free connection: raise max_connections there, or end other programs.");
    case "57P03":
      return failed("is starting or stopping: try again soon.");
    case "25006":
      return misconfigured("takes no writes: it is a standby. Name the primary in TICKMARK_DATABASE_URL.");
    default:
      break;
  }
  if (/timeout/i.test(message) && code === null)
    return failed(`does not answer: check the network and its firewall. ${correct} if it is elsewhere.`);
  if (/client password must be a string/.test(message))
    return misconfigured(`asks for a password, and TICKMARK_DATABASE_URL has none for the user ${user}.`);
  return code !== null && (syscall !== null || /^[0-9A-Z]{5}$/.test(code))
    ? failed(`cannot be used (${code}): ${message}.`)
    : null;
}
