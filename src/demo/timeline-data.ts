import type { EventBody } from "../outbound/plugin-client.ts";

export type TimelineEvent = Omit<EventBody, "local_id" | "timestamp">;

export interface Habits {
  readonly banPlugin: string;
  readonly incidents: readonly Incident[];
  readonly antiCheat: string | null;
  /** How the boot before the last one ended. */
  readonly endedBy: "crash" | "kill" | "restart" | "command";
  readonly fresh: { readonly minutesAgo: number; readonly event: TimelineEvent } | null;
}

export const ownPlugin = "tickmark-plugin";

/** Invented names. Players who were punished a moment ago (`fresh`) are not among them. */
export const players = [
  "MossyToad",
  "QuartzPanda",
  "RustyMinecart",
  "Elderberry_77",
  "LanternFish",
  "PixelPaula",
  "BeeKeeperBo",
  "Snowy_Vale",
  "KelpForest",
  "Amethysta",
  "CreeperCarl",
  "HopperQueen",
  "OakAndIvy",
  "NetherNils",
  "PistonPete",
  "Saddlebag",
  "CopperGolemina",
  "EndlessEda",
  "Wanderer_Wim",
  "FernAndFox",
  "Pumpkin_Pia",
  "Basalt_Ben",
] as const;

export const staff = ["Console", "ModMarta", "Admin_Jules"] as const;

export interface TimelinePeople {
  readonly player: string;
  readonly other: string;
  readonly by: string;
}

/** `figure` is from 0 to below 1. */
type Incident = (people: TimelinePeople, source: string, figure: number) => TimelineEvent;

const oneOf = <T>(list: readonly [T, ...T[]], figure: number): T =>
  list[Math.floor(figure * list.length)] ?? list[0];

const moderation = (type: string, source: string, severity: TimelineEvent["severity"], title: string) =>
  ({ type, category: "moderation", source, severity, title }) as const;

const ban: Incident = ({ player, by }, source) => ({
  ...moderation("ban", source, "warning", `${player} was banned by ${by}`),
  description: "X-ray: straight tunnels from one diamond vein to the next.",
  metadata: { player, by, permanent: true, reason: "X-ray" },
});

const tempban: Incident = ({ player, by }, source, figure) => {
  const days = oneOf([1, 3, 7, 14], figure);
  const title = `${player} was banned for ${days} ${days === 1 ? "day" : "days"}`;
  return {
    ...moderation("tempban", source, "warning", title),
    description: 'Emptied the village chests. "i was only borrowing the carrots"',
    metadata: { player, by, days, reason: "Stealing" },
  };
};

const kick: Incident = ({ player, by }, source, figure) => {
  const said = oneOf(
    ["SELLING ELYTRA 12 DIAMONDS!!! /warp shop", "first first first", "who took my boat ¯\\_(ツ)_/¯"],
    figure,
  );
  return {
    ...moderation("kick", source, "info", `${player} was kicked for spam: "${said}"`),
    metadata: { player, by, reason: "Spam", message: said },
  };
};

const mute: Incident = ({ player, by }, source, figure) => {
  const minutes = oneOf([10, 30, 60], figure);
  return {
    ...moderation("mute", source, "info", `${player} was muted for ${minutes} minutes`),
    metadata: { player, by, minutes, reason: "Insults" },
  };
};

const report: Incident = ({ player, other }, source, figure) => {
  const complaint = oneOf(
    [
      "took my horse and renamed him Gary :(",
      "is building a dirt tower next to my castle",
      "said my base is mid",
    ],
    figure,
  );
  return {
    ...moderation("player_report", source, "info", `Report by ${player}: "${other} ${complaint}"`),
    metadata: { reporter: player, player: other, world: "world" },
  };
};

/** A player failed a check of the anti-cheat. */
export const flagged: Incident = ({ player }, source, figure) => {
  const check = oneOf(["Reach", "Simulation", "FastBreak", "Scaffold"], figure);
  const violations = 8 + Math.floor(((figure * 7) % 1) * 30);
  return {
    type: "anticheat_flag",
    category: "security",
    source,
    severity: "warning",
    title: `${player} failed ${check} (VL ${violations})`,
    metadata: { player, check, violations, ping_ms: 30 + Math.floor(((figure * 13) % 1) * 90) },
  };
};

const usual: Habits = {
  banPlugin: "LiteBans",
  incidents: [ban, tempban, kick, mute, report],
  antiCheat: "GrimAC",
  endedBy: "restart",
  fresh: null,
};

const recentBan = (
  source: string,
  minutesAgo: number,
  event: Omit<TimelineEvent, "source" | "category">,
) => ({
  minutesAgo,
  event: { category: "moderation", source, ...event } as const,
});

const habits: Readonly<Record<string, Habits>> = {
  "Evergreen Survival": {
    ...usual,
    fresh: recentBan("LiteBans", 4, {
      type: "tempban",
      severity: "warning",
      title: "TNT_Timmy was banned for 7 days",
      description: 'Blew up the spawn bridge. Last words in chat: "it was like that when i got here"',
      metadata: { player: "TNT_Timmy", by: "ModMarta", days: 7, reason: "Griefing" },
    }),
  },
  "Evergreen Creative": { ...usual, antiCheat: null, endedBy: "command" },
  "Foundry SMP": {
    ...usual,
    banPlugin: "AdvancedBan",
    antiCheat: "Vulcan",
    endedBy: "crash",
    fresh: recentBan("AdvancedBan", 7, {
      type: "ban",
      severity: "warning",
      title: "xX_Cobble_Xx was banned by Admin_Jules",
      description: "Lag machine below the iron farm: 4,100 chickens in one chunk.",
      metadata: { player: "xX_Cobble_Xx", by: "Admin_Jules", permanent: true, reason: "Lag machine" },
    }),
  },
  "Worldgen Lab": { ...usual, antiCheat: null, endedBy: "command" },
  "Old Mill": {
    ...usual,
    banPlugin: "minecraft",
    incidents: [ban, kick],
    antiCheat: null,
    endedBy: "command",
  },
  Archipelago: {
    ...usual,
    banPlugin: "LibertyBans",
    fresh: recentBan("LibertyBans", 3, {
      type: "ip_ban",
      severity: "warning",
      title: "An address was banned: 3 accounts of GlowSquid9",
      description: null,
      metadata: { player: "GlowSquid9", by: "ModMarta", accounts: 3, reason: "Ban evasion" },
    }),
  },
  Harbour: {
    ...usual,
    fresh: {
      minutesAgo: 6,
      event: {
        type: "anticheat_flag",
        category: "security",
        source: "GrimAC",
        severity: "error",
        title: "DeepslateDan failed Timer (VL 41)",
        metadata: { player: "DeepslateDan", check: "Timer", violations: 41, ping_ms: 63 },
      },
    },
  },
  Lighthouse: { ...usual, endedBy: "kill" },
  Quarry: { ...usual, endedBy: "kill" },
  Smithy: {
    ...usual,
    fresh: {
      minutesAgo: 6,
      event: {
        type: "cpu_throttled",
        category: "custom",
        source: "agent",
        severity: "warning",
        title: "The CPU quota holds the server back",
        metadata: { throttled_periods_percent: 13.4, cpu_quota_cores: 2 },
      },
    },
  },
  Operations: {
    ...usual,
    antiCheat: null,
    fresh: recentBan("LiteBans", 9, {
      type: "ban",
      severity: "warning",
      title: "Griefer42 was banned by Console",
      description: "Banned on the whole network; was not online.",
      metadata: { player: "Griefer42", by: "Console", permanent: true, online: false },
    }),
  },
};

export const habitsOf = (server: string): Habits => habits[server] ?? usual;
