import { collectScores, noScores, rankScores, type CollectedScores } from "../core/report/standing.ts";
import { nextTurn } from "../core/turns.ts";
import { saveRanks, selectPublicContents, type ScoringScale } from "../store/report/standings.ts";
import type { JobDeps } from "./deps.ts";

const pageSize = 100;

interface CountedScale {
  readonly scale: ScoringScale;
  readonly scores: CollectedScores;
}

/** Counts how the scores of all public reports are spread, so that reading one report needs no other. */
export async function countStandings({ db, clock, signal }: Pick<JobDeps, "db" | "clock" | "signal">) {
  const now = clock();
  const scales = new Map<string, CountedScale>();
  let after = "";
  for (;;) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage(after);
    for (const { content } of page) {
      const { algorithm_version: algorithmVersion, benchmark_mode: benchmarkMode } = content;
      // Custom runs are not scored.
      if (algorithmVersion === null) continue;
      const name = JSON.stringify([algorithmVersion, benchmarkMode]);
      const counted = scales.get(name) ?? { scale: { algorithmVersion, benchmarkMode }, scores: noScores() };
      scales.set(name, counted);
      collectScores(counted.scores, content);
    }
    if (signal.aborted) return;
    if (page.length < pageSize) break;
    after = page.at(-1)?.id ?? "";
    await nextTurn();
  }
  const counted = [...scales.values()].map(({ scale, scores }) => ({ scale, ranks: rankScores(scores) }));
  await db.write(saveRanks, counted, now);

  async function readPage(from: string) {
    return db.read(selectPublicContents, from, now, pageSize);
  }
}
