// A small world that runs the commands of the game tests, and computes what a tick costs in it.

const hoppersPerBatch = 64;
/** A little less than the game's 50 ms: a busy machine under the tests takes some of the pace away. */
const tickMs = 40;
const usualCosts = {
  idle: 0.4,
  zombie: 0.0125,
  villager: 0.0125,
  cow: 0.0125,
  item: 0.0025,
  line: 0.05,
  hopper: 0.005,
  chunkMs: 0.1,
};

const unknown = (command) => `Unknown or incomplete command, see below for error\n${command}<--[HERE]`;

export class SimulatedWorld {
  #functions;
  #costs;
  #report;
  #entities = [];
  #scores = new Map();
  #hopperBatches = 0;
  #hopperTicks = 0;
  #forced = new Map([
    ["minecraft:overworld", new Set()],
    ["minecraft:the_end", new Set()],
  ]);
  #generated = new Set();
  #ticks = 0;
  #frozen = false;
  #lastAt = performance.now();
  #owed = 0;
  #version;

  constructor({ functions, costs, report, version }) {
    this.#functions = functions;
    this.#costs = { ...usualCosts, ...costs };
    this.#report = report;
    this.#version = version;
    setInterval(() => this.#pass(), 5);
  }

  /** The mean time of a tick, ms. */
  get #mspt() {
    const costs = this.#costs;
    let ms = costs.idle + this.#hopperBatches * hoppersPerBatch * costs.hopper;
    for (const { type } of this.#entities) ms += type === "marker" ? 8 * costs.line : (costs[type] ?? 0);
    return ms;
  }

  /** Time goes by at the usual pace, or as fast as the load lets it. */
  #pass() {
    const now = performance.now();
    if (!this.#frozen) {
      this.#owed += (now - this.#lastAt) / Math.max(tickMs, this.#mspt);
      const due = Math.floor(this.#owed);
      this.#owed -= due;
      this.#tick(due);
    }
    this.#lastAt = now;
  }

  #tick(count) {
    for (let left = count; left > 0; left -= 1) {
      this.#ticks += 1;
      if (this.#hopperBatches > 0) this.#hopperTicks += 1;
      for (const entity of this.#entities)
        if (entity.type !== "marker") entity.pos = entity.pos.map((at, axis) => at + (axis === 1 ? 0.25 : 0));
      if (!this.#scores.has("tickmark")) continue;
      const own = this.#objective("tickmark");
      own.set("#ticks", (own.get("#ticks") ?? 0) + 1);
      own.set("#clock", ((own.get("#clock") ?? 0) + 1) % 12);
    }
  }

  #objective(name) {
    return this.#scores.get(name);
  }

  async run(command) {
    this.#pass();
    if (command === "tick freeze") return this.#freeze(true);
    if (command === "tick unfreeze") return this.#freeze(false);
    if (command.startsWith("tick sprint ")) return this.#sprint(Number(command.slice(12)));
    if (command.startsWith("tick step ")) return this.#step(Number(command.slice(10)));
    if (command === "tick query") return this.#query();
    if (command === "time query gametime") return `The time is ${this.#ticks}`;
    if (command === "save-off") return "Automatic saving is now disabled";
    if (command.startsWith("kill ")) return this.#kill(command.slice(5));
    if (command.startsWith("function ")) return this.#call(command.slice(9));
    const score = /^scoreboard players get (\S+) (\S+)$/.exec(command);
    if (score) {
      const value = this.#objective(score[2])?.get(score[1]);
      return value === undefined
        ? `Can't get value of ${score[2]} for ${score[1]}; none is set`
        : `${score[1]} has ${value} [${score[2]}]`;
    }
    if (command.startsWith("execute if entity ")) {
      const count = this.#selected(command.slice(18)).length;
      return count === 0 ? "Test failed" : `Test passed. Count: ${count}`;
    }
    const inside = /^execute in (minecraft:\w+) (.*)$/.exec(command);
    return inside ? this.#inside(inside[1], inside[2]) : unknown(command);
  }

  #freeze(frozen) {
    this.#frozen = frozen;
    return frozen ? "The game is frozen" : "The game is running normally";
  }

  #sprint(ticks) {
    const ms = this.#mspt;
    setTimeout(() => {
      this.#tick(ticks);
      this.#report(
        `Sprint completed with ${Math.trunc(1000 / ms)} ticks per second, or ${ms.toFixed(2)} ms per tick`,
      );
    }, 5);
    return "The game is sprinting";
  }

  #step(ticks) {
    if (!this.#frozen) return "Unable to step the game - the game must be frozen first";
    setTimeout(() => this.#tick(ticks), 5);
    return `Stepping ${ticks} tick(s)`;
  }

  #query() {
    const ms = this.#mspt.toFixed(1);
    return `The game is running normallyTarget tick rate: 20.0 per second.\nAverage time per tick: ${ms}ms (Target: 50.0ms)Percentiles: P50: ${ms}ms P95: ${(this.#mspt * 1.1).toFixed(1)}ms P99: ${(this.#mspt * 1.2).toFixed(1)}ms. Sample: 100`;
  }

  #selected(selector) {
    const tags = [...selector.matchAll(/tag=(\w+)/g)].map(([, tag]) => tag);
    const type = /type=minecraft:(\w+)/.exec(selector)?.[1];
    return this.#entities.filter(
      (each) => tags.every((tag) => each.tags.has(tag)) && (!type || each.type === type),
    );
  }

  #kill(selector) {
    const gone = new Set(this.#selected(selector));
    this.#entities = this.#entities.filter((each) => !gone.has(each));
    return gone.size === 0 ? "No entity was found" : `Killed ${gone.size} entities`;
  }

  #call(name, at = [0, 0, 0]) {
    const lines = this.#functions.get(name);
    if (!lines) return `Unknown function ${name}`;
    for (const line of lines) this.#line(line, at);
    return `Running function ${name}`;
  }

  /** A line of a function: what the tests build with. */
  #line(line, at) {
    const summoned = /^summon minecraft:(\w+) ~(\S*) ~(\S*) ~(\S*) .*Tags:\[([^\]]*)\]/.exec(line);
    if (summoned) {
      const [, type, x, y, z, tags] = summoned;
      const pos = [x, y, z].map((offset, axis) => at[axis] + Number(offset || 0));
      this.#entities.push({
        type,
        pos,
        tags: new Set(tags.replaceAll('"', "").split(",")),
        scores: new Map(),
      });
      return;
    }
    const objective = /^scoreboard objectives add (\S+) dummy$/.exec(line);
    if (objective) return void this.#scores.set(objective[1], new Map());
    const set = /^scoreboard players set (\S+) (\S+) (\d+)$/.exec(line);
    if (set) return void this.#objective(set[2]).set(set[1], Number(set[3]));
    const nested = /^function (\S+)$/.exec(line);
    if (nested) return void this.#call(nested[1], at);
    const kept =
      /^execute as (\S+) store result score @s (\S+) run data get entity @s Pos\[(\d)\] (\d+)$/.exec(line);
    if (kept) {
      for (const each of this.#selected(kept[1]))
        each.scores.set(kept[2], Math.trunc(each.pos[Number(kept[3])] * Number(kept[4])));
      return;
    }
    const moved = /^execute as (\S+) unless score @s (\S+) = @s (\S+) run tag @s add (\S+)$/.exec(line);
    if (moved) {
      for (const each of this.#selected(moved[1]))
        if (each.scores.get(moved[2]) !== each.scores.get(moved[3])) each.tags.add(moved[4]);
      return;
    }
    const untagged = /^tag (\S+) remove (\S+)$/.exec(line);
    if (untagged) for (const each of this.#selected(untagged[1])) each.tags.delete(untagged[2]);
    if (/^fill .* minecraft:hopper\[facing=east\]$/.test(line)) this.#hopperBatches += 1;
    if (/^fill ~ ~-2 ~ ~15 ~11 ~15 minecraft:air$/.test(line))
      [this.#hopperBatches, this.#hopperTicks] = [0, 0];
  }

  async #inside(dimension, command) {
    const called = /^positioned (-?\d+) (-?\d+) (-?\d+) run function (\S+)$/.exec(command);
    if (called) return this.#call(called[4], called.slice(1, 4).map(Number));
    const forced = /^run forceload (add|remove) (-?\d+) (-?\d+) (-?\d+) (-?\d+)$/.exec(command);
    if (forced) return this.#forceload(dimension, forced[1], forced.slice(2).map(Number));
    if (command === "run forceload remove all") {
      this.#forced.get(dimension).clear();
      return `Unmarked all force loaded chunks in ${dimension}`;
    }
    const loaded = /^if loaded (-?\d+) (-?\d+) (-?\d+)$/.exec(command);
    if (loaded)
      return this.#forced.get(dimension).has(chunkAt(loaded[1], loaded[3])) ? "Test passed" : "Test failed";
    const tested = /^if block (-?\d+) (-?\d+) (-?\d+) (\S+)$/.exec(command);
    if (tested) return this.#block(dimension, tested.slice(1, 4).map(Number), tested[4]);
    const slots = /^run data get block (-?\d+) (-?\d+) (-?\d+) Items$/.exec(command);
    if (slots) return `${slots[1]}, ${slots[2]}, ${slots[3]} has the following block data: ${this.#slots()}`;
    return unknown(`execute in ${dimension} ${command}`);
  }

  async #forceload(dimension, what, [x1, z1, x2, z2]) {
    const chunks = [];
    for (let x = x1 >> 4; x <= x2 >> 4; x += 1)
      for (let z = z1 >> 4; z <= z2 >> 4; z += 1) chunks.push(`${x} ${z}`);
    if (chunks.length > 256)
      return `Too many chunks in the specified area (maximum 256, but specified ${chunks.length})`;
    const marked = this.#forced.get(dimension);
    const span = `in ${dimension} from [${x1 >> 4}, ${z1 >> 4}] to [${x2 >> 4}, ${z2 >> 4}]`;
    if (what === "remove") {
      for (const chunk of chunks) marked.delete(chunk);
      return `Unmarked ${chunks.length} chunks ${span} for force loading`;
    }
    const fresh =
      dimension === "minecraft:overworld" ? chunks.filter((chunk) => !this.#generated.has(chunk)) : [];
    await this.#busy(fresh.length * this.#costs.chunkMs);
    for (const chunk of chunks) [marked, this.#generated].forEach((set) => set.add(chunk));
    return chunks.length === 1
      ? `Marked chunk [${x1 >> 4}, ${z1 >> 4}] in ${dimension} to be force loaded`
      : `Marked ${chunks.length} chunks ${span} to be force loaded`;
  }

  /** The main thread works, and no tick runs meanwhile. */
  async #busy(ms) {
    const until = performance.now() + ms;
    while (performance.now() < until) this.#lastAt = performance.now();
  }

  #block(dimension, [x, y, z], block) {
    if (block === "minecraft:bedrock") {
      if (!this.#forced.get(dimension).has(chunkAt(x, z))) return "That position is not loaded";
      return y === -64 ? "Test passed" : "Test failed";
    }
    const marker = this.#selected("@e[type=minecraft:marker]").find(
      ({ pos }) => pos[0] === x - 14 && pos[1] === y && z - pos[2] >= 0 && z - pos[2] <= 14,
    );
    if (!marker) return "Test failed";
    const phase = Number([...marker.tags].find((tag) => tag.startsWith("tickmark_phase_")).slice(15));
    const since = (this.#objective("tickmark").get("#clock") - phase + 12) % 12;
    return since < 10 && !this.#costs.lampsStayDark ? "Test passed" : "Test failed";
  }

  #slots() {
    // The first item arrives when the chain is full; then one every eight ticks.
    const arrived = Math.max(0, Math.floor(this.#hopperTicks / 8) - 8);
    const full = Math.floor(arrived / 64);
    const counts = [...Array.from({ length: full }, () => 64), ...(arrived % 64 ? [arrived % 64] : [])];
    const old = this.#version.startsWith("1.20");
    return `[${counts.map((count, slot) => (old ? `{Slot: ${slot}b, id: "minecraft:cobblestone", Count: ${count}b}` : `{count: ${count}, Slot: ${slot}b, id: "minecraft:cobblestone"}`)).join(", ")}]`;
  }
}

const chunkAt = (x, z) => `${Number(x) >> 4} ${Number(z) >> 4}`;
