import { it } from "vitest";
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { playPlanted, type Delivery } from "../support/planted/deliver.ts";
import { plantedHistory, plantedKinds } from "../support/planted/histories.ts";
import { essenceOf, scoreOf, scoreTable } from "../support/planted/score.ts";

it("prints", async () => {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.start");
  const started = performance.now();
  const kinds = (process.env["KINDS"] ?? plantedKinds.join(",")).split(",") as typeof plantedKinds;
  const how = (process.env["HOW"] ?? "in time,doubled,late,mixed").split(",") as Delivery[];
  const played = await playPlanted(
    kinds.map((kind, place) => plantedHistory(kind, 11 + place)),
    how,
  );
  const { profile } = await session.post("Profiler.stop");
  writeFileSync("/tmp/score.cpuprofile", JSON.stringify(profile));
  console.log(`played in ${Math.round(performance.now() - started)} ms`);
  for (const delivery of how) {
    const of = played.filter((each) => each.delivery === delivery);
    console.log(
      delivery + " live\n" + scoreTable(of.map((each) => [each.history.kind, scoreOf(each, each.live)])),
    );
    console.log(
      delivery +
        " windows\n" +
        scoreTable(of.map((each) => [each.history.kind, scoreOf(each, each.windows)])),
    );
  }
  for (const each of played) {
    const truth = played.find((other) => other.history === each.history && other.delivery === "in time");
    let same = 0;
    const differences: string[] = [];
    for (const [place, { answer }] of each.windows.entries()) {
      const mine = JSON.stringify(essenceOf(answer));
      const then = JSON.stringify(essenceOf(truth?.live[place]?.answer ?? { findings: [] }));
      if (mine === then) same += 1;
      else
        differences.push(
          `  ${new Date(each.windows[place]?.at ?? 0).toISOString()}\n   window ${mine}\n   live   ${then}`,
        );
    }
    console.log(
      each.history.kind,
      each.delivery,
      "same",
      same,
      "of",
      each.windows.length,
      "\n" + differences.slice(0, 2).join("\n"),
    );
  }
}, 1_800_000);
