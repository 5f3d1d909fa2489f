import { userInfo } from "node:os";

/** What the system and drivers tell of an error; what one does not tell is null. */
export interface ErrorFacts {
  readonly code: string | null;
  /** What was asked of the system, such as `listen` or `open`. */
  readonly syscall: string | null;
  readonly path: string | null;
  readonly address: string | null;
  readonly port: number | null;
  readonly hostname: string | null;
  readonly message: string;
}

export function errorFacts(error: unknown): ErrorFacts {
  const known: Readonly<Record<string, unknown>> = error instanceof Error ? { ...error } : {};
  const text = (name: string): string | null => {
    const value = known[name];
    return typeof value === "string" ? value : null;
  };
  const { port } = known;
  return {
    code: text("code"),
    syscall: text("syscall"),
    path: text("path"),
    address: text("address"),
    port: typeof port === "number" ? port : null,
    hostname: text("hostname"),
    message: inOneLine(error instanceof Error ? error.message : String(error)),
  };
}

/** Messages of others may have several lines. */
export const inOneLine = (text: string): string => text.trim().replaceAll(/\s+/g, " ");

/** The user of this process, as the operator knows them. */
export function thisUser(): string {
  try {
    const { username, uid } = userInfo();
    return `The user ${username} (uid ${uid})`;
  } catch {
    return `The user with uid ${process.getuid?.() ?? "of this process"}`;
  }
}
