import type { ConfigCheck } from "../check.ts";
import { baseUrlCheck } from "./base-url.ts";
import { clockCheck } from "./clock.ts";
import { databaseCheck } from "./database.ts";
import { diskCheck } from "./disk.ts";
import { mailCheck } from "./mail.ts";
import { replicaCheck } from "./replica.ts";
import { sealedValuesCheck } from "./secret.ts";

/** `tickmark config check` runs them in this order. */
export const configChecks: readonly ConfigCheck[] = [
  databaseCheck,
  replicaCheck,
  sealedValuesCheck,
  diskCheck,
  clockCheck,
  baseUrlCheck,
  mailCheck,
];
