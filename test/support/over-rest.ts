import { featuresOf, heldAgainstSchema } from "../../src/cli/catalogue-manifest.ts";
import { ownManifest } from "../../src/cli/own-manifest.ts";
import { upstream, type Upstream, type UpstreamOptions } from "../../src/outbound/upstream.ts";

const features = featuresOf(ownManifest());

/** The backend of the stdio connector as its command makes it. */
export const overRest = (options: Omit<UpstreamOptions, "checkInput" | "features">): Upstream =>
  upstream({ ...options, checkInput: heldAgainstSchema, features });
