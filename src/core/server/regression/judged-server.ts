import type { NewNotice } from "../../notice/notice.ts";
import type { Instant } from "../../time.ts";

/** A server with jobs that ended since it was last judged. */
export interface ServerToJudge {
  readonly id: string;
  readonly accountId: string;
  readonly name: string | null;
  readonly isVerified: boolean;
  /** Some of those jobs; the others are found the next time. */
  readonly jobIds: readonly string[];
}

export interface JudgedServer {
  readonly server: Pick<ServerToJudge, "id" | "accountId" | "jobIds">;
  /** The beginning of the regression; null for another verdict. */
  readonly since: Instant | null;
  /** Null unless the regression is new. */
  readonly notice: NewNotice | null;
  readonly now: Instant;
}
