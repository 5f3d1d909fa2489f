import { userInfo } from "node:os";

/** What the system and drivers tell about an error; null where they tell nothing. */
export interface ErrorFacts {
  readonly code: string | null;
  /** The system call, such as `listen` or `open`. */
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

/** Messages of other programs may have several lines. */
export const inOneLine = (text: string): string => text.trim().replaceAll(/\s+/g, " ");

export function thisUser(): string {
  try {
    const { username, uid } = userInfo();
    return `The user ${username} (uid ${uid})`;
  } catch {
    return `The user with uid ${process.getuid?.() ?? "of this process"}`;
  }
}
