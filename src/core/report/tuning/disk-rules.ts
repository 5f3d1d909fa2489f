import { isAtMost, isSetTo, numberSetting, paperWorldDefaults, serverProperties } from "./config-file.ts";
import { familyOf } from "./family.ts";
import { msptP95, readIops, slowerP99, writeP99 } from "./measurements.ts";
import { above, anyOf, atLeast, below, host, judge, rule, type TuningRule } from "./rule.ts";
import { sources } from "./sources.ts";

// As in the diagnosis: ten exploring players, and one tick.
const starvedIops = 1000;
const tickBudgetMs = 50;
// A tenth of a tick for one write in a hundred.
const slowWriteMs = 5;
const busyMsptP95 = 40;

export const diskRules: readonly TuningRule[] = [
  rule({
    code: "disk_faster_storage",
    area: "disk",
    setting: host("storage"),
    unit: null,
    retest: "disk_random_4k",
    impact: "high",
    risk: "none",
    side_effect: null,
    source: sources.paperGlobal,
    evaluate: (payload) =>
      judge({
        current: null,
        suggested: "local_nvme_or_ssd",
        because: anyOf(below(readIops(payload), starvedIops), above(slowerP99(payload), tickBudgetMs)),
      }),
  }),
  rule({
    code: "disk_sync_chunk_writes",
    area: "disk",
    setting: serverProperties("sync-chunk-writes"),
    unit: null,
    retest: "exploration_chunk_generation",
    impact: "high",
    risk: "low",
    side_effect: "newest_chunks_may_be_lost_in_a_crash",
    source: sources.minecraftOptimization,
    uselessOn: "paper",
    evaluate: (payload) =>
      judge({
        current: true,
        suggested: false,
        because: atLeast(writeP99(payload), slowWriteMs),
        // Unknown software may be a fork of Paper, where the setting has no effect.
        settled: isSetTo(payload, "sync_chunk_writes", false),
        needs: [familyOf(payload) === null ? null : true],
      }),
  }),
  rule({
    code: "disk_autosave_spread",
    area: "disk",
    setting: paperWorldDefaults("chunks.max-auto-save-chunks-per-tick"),
    unit: "chunks",
    retest: "exploration_chunk_generation",
    impact: "medium",
    risk: "low",
    side_effect: "saving_takes_longer",
    source: sources.paperWorld,
    knownTo: "paper",
    evaluate(payload) {
      const current = numberSetting(payload, "max_auto_save_chunks_per_tick");
      return judge({
        current,
        suggested: 8,
        because: atLeast(msptP95(payload), busyMsptP95),
        settled: isAtMost(current, 8),
        needs: [atLeast(writeP99(payload), slowWriteMs).holds],
      });
    },
  }),
];
