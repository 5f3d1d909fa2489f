import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { filled, imitations, ownTemplates, printedBy, rightOf, templatesIn } from "../agent/ban-templates.ts";
import { inChat, moderationsOf, raised } from "../agent/moderation-lines.ts";

/** A file of sentences as the plugins publish them, to compare with; without it, those that the agent knows. */
const given = process.env["BAN_TEMPLATES"];
/** Lines of chat that imitate the sentences. */
const lines = 100_000;

it("ban plugins in all languages: what is read, missed and wrongly read", () => {
  const templates = given === undefined ? ownTemplates : templatesIn(readFileSync(given, "utf8"));
  let [read, missed, wrong] = [0, 0, 0];
  for (const template of templates) {
    const message = filled(template.text, "Sam", "Kim");
    const found = moderationsOf([`[17:00:00] [Server thread/INFO]: ${message}`]);
    if (found.length === 0) missed += 1;
    else if (JSON.stringify(found) === JSON.stringify([rightOf(template)])) read += 1;
    else wrong += 1;
  }
  const { told, alerts } = raised(imitations(templates, lines));
  console.log(
    `ban templates: ${templates.length}; read ${read}, missed ${missed}, wrongly read ${wrong}\n` +
      `imitations: ${lines} lines of chat; ${told.length} unverified events, ${alerts.length} verified or alerts; ` +
      `${inChat(told, printedBy(templates)).length} of them in a form of chat`,
  );
  expect(alerts).toEqual([]);
  expect(wrong).toBe(0);
  expect(inChat(told, printedBy(templates))).toEqual([]);
});
