import { noMeter, type Meter } from "../contract/call/meter.ts";
import type { DocumentTasks, ReadDocuments, TaskName } from "../contract/files/document-tasks.ts";
import { Refusal } from "../core/errors.ts";
import { accountTurns } from "./account-turns.ts";
import { TooHeavy, type Executor } from "./executor.ts";

const uploads: ReadonlySet<TaskName> = new Set<TaskName>([
  "readBatch",
  "readJson",
  "readProfile",
  "readMemoryReport",
]);

/** How long to wait after a document took too long, seconds: the machine may have been busy. */
const retryAfterSeconds = 30;

/** Runs document tasks on the executor; accounts take turns. */
export function documentReader(
  executor: Executor,
  { documents }: Pick<Meter, "documents"> = noMeter,
): ReadDocuments {
  const inTurn = accountTurns(executor.slots);
  return <Name extends TaskName>(
    account: string,
    name: Name,
    input: DocumentTasks[Name]["input"],
    begin = () => {},
  ) => {
    documents(1);
    return inTurn(account, async () => {
      begin();
      try {
        // Sound: a task answers what its line in DocumentTasks says.
        return (await executor.run({ name, input })) as DocumentTasks[Name]["output"];
      } catch (error) {
        throw error instanceof TooHeavy ? refusalOf(error, uploads.has(name)) : error;
      }
    }).finally(() => documents(-1));
  };
}

/** An upload that takes too much memory always will, but a busy machine may only have been too slow. */
function refusalOf({ limit }: TooHeavy, isUpload: boolean): Refusal {
  if (limit === "memory" && isUpload)
    return new Refusal(
      "too_large",
      "Reading this document needs more memory than one document may use. Send a smaller one.",
    );
  const words =
    "Reading this document took too long, and was stopped. Try again when the service is less busy.";
  return new Refusal("unavailable", words, {}, retryAfterSeconds);
}
