import { z } from "zod";
import { nullableInt, nullableNumber, nullableText, optionalBlock } from "../report/payload-fields.ts";
import { orNull } from "../reported.ts";
import { plainText, thirdPartyText } from "../text/third-party-text.ts";
import { IsoInstant } from "../timestamp.ts";
import { SentMeanwhile } from "./measured.ts";

/** Wide enough for any count. */
const most = 1_000_000_000_000;
/** Samples that end in one node: the sum over a whole tree stays an exact integer. */
const mostSamples = 1_000_000_000;
const count = () => nullableInt(0, most);
const seconds = () => nullableNumber(0, 1_000_000_000);
const moment = () => orNull(IsoInstant);

/** Code points; `codeLength` is of a class with its method. */
export const ownerLength = 120;
export const codeLength = 500;

/** What is said of another program's file, which does not say why it was recorded. */
export const ProfileFileTrigger = z.enum(["import", "lag"]);
export type ProfileFileTrigger = z.infer<typeof ProfileFileTrigger>;

export const maxFrames = 100_000;
export const maxNodes = 250_000;

/** `frame` is like `net.example.Shop.tick`, null where stacks were cut; `owner` null: by the class name. */
const Frame = z.object({
  frame: orNull(thirdPartyText(codeLength)),
  owner: orNull(thirdPartyText(ownerLength)),
  plugin: z
    .boolean()
    .nullish()
    .transform((plugin) => plugin ?? false),
});

/** `parent` is an earlier node, -1 for none; `samples` are the tick samples that ended in this call. */
const Node = z.object({
  parent: z.int().min(-1).max(maxNodes),
  frame: z.int().min(0).max(maxFrames),
  samples: z.int().min(0).max(mostSamples),
});

const Warning = z.object({ code: thirdPartyText(64), params: z.record(z.string(), z.unknown()).default({}) });

/** The form of uploads and of stored profiles; `nodes` is the tree of calls as a flat list. */
export const ProfileDocument = z
  .object({
    schema: z.literal("service-profile/1"),
    local_id: plainText(120, 1),
    plugin_version: orNull(plainText(64, 1)),
    engine: nullableText(64),
    trigger: nullableText(64),
    created_at: moment(),
    capture: optionalBlock({
      window_start: moment(),
      window_end: moment(),
      window_seconds: seconds(),
      requested_seconds: seconds(),
      stack_depth: nullableInt(1, 100_000),
    }),
    lag: orNull(
      z.object({
        kind: nullableText(64),
        started_at: moment(),
        detected_at: moment(),
        slow_ticks: count(),
        longest_tick_ms: nullableNumber(0, most),
      }),
    ),
    platform: optionalBlock({
      server_type: nullableText(64),
      server_version: nullableText(120),
      bukkit_version: nullableText(120),
      plugin_count: nullableInt(0, 100_000),
      service_version: nullableText(64),
    }),
    jvm: optionalBlock({
      java_version: nullableText(120),
      java_vendor: nullableText(120),
      vm_name: nullableText(120),
      available_processors: nullableInt(1, 100_000),
    }),
    samples: optionalBlock({
      tick: count(),
      total: count(),
      truncated_tick: count(),
      capped_tick: count(),
      distinct_stacks: count(),
    }),
    warnings: z.array(Warning).max(50).default([]),
    measured: orNull(SentMeanwhile),
    frames: z.array(Frame).max(maxFrames),
    nodes: z.array(Node).max(maxNodes),
  })
  .superRefine(({ frames, nodes }, context) => {
    const wrong = nodes.findIndex(({ parent, frame }, index) => parent >= index || frame >= frames.length);
    if (wrong < 0) return;
    const isParent = (nodes[wrong]?.parent ?? 0) >= wrong;
    const message = isParent
      ? "takes the index of an earlier node, or -1."
      : "takes the index of one of the frames.";
    context.addIssue({
      code: "custom",
      path: ["nodes", wrong, isParent ? "parent" : "frame"],
      message,
    });
  });
export type ProfileDocument = z.output<typeof ProfileDocument>;
