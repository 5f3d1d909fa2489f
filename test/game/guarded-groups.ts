import { spawn } from "node:child_process";
import { startGroupGuard } from "../../src/bench/game/group-guard.ts";

// Guards two process groups and lets one of them go: prints the ids of both.
const server = (): number => spawn("sleep", ["60"], { detached: true, stdio: "ignore" }).pid ?? 0;
const [left, released] = [server(), server()];
const [kept, ended] = [startGroupGuard(), startGroupGuard()];
kept.watch(left);
ended.watch(released);
ended.release();
console.log(JSON.stringify([left, released]));
