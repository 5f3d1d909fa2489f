import { spawn } from "node:child_process";
import { guardGroup } from "../../src/bench/game/group-guard.ts";

// Guards two process groups and lets one of them go: prints the ids of both.
const server = (): number => spawn("sleep", ["60"], { detached: true, stdio: "ignore" }).pid ?? 0;
const [left, released] = [server(), server()];
guardGroup(left);
guardGroup(released).release();
console.log(JSON.stringify([left, released]));
