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

/** What became of judging a server after these jobs. */
export interface JudgedServer {
  readonly server: Pick<ServerToJudge, "id" | "accountId" | "jobIds">;
  /** Where the regression began; null when the verdict is another. */
  readonly since: Instant | null;
  /** The notification to the owner, if the regression is new. */
  readonly notice: NewNotice | null;
  readonly now: Instant;
}
