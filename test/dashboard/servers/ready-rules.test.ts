import { expect, it } from "vitest";
import { roomyPlans, rowsOf } from "../../support/service.ts";
import { alertPages, textOf } from "../alerts/alerting.ts";

it("[OUR-HLT-125] a rule on the disk is offered until one watches it, and watches what is sent", async () => {
  const { service, owner, visitor, server, rules, beats } = await alertPages({ plans: roomyPlans });
  const token = await service.token(owner);
  const onDisk = async () =>
    rowsOf(await service.request("GET", `/api/v1/servers/${server.id}/alert-rules`, { token })).find(
      ({ metric }) => metric === "disk_free_mb",
    );
  expect(await onDisk()).toBeUndefined();
  const page = (await visitor.get(rules)).text;
  expect(textOf(page)).toContain("Disk nearly full (Free disk space below 5120 MB (5.0 GB) for 5 min)");
  const form = page.split("<form").find((each) => each.includes("Disk nearly full (")) ?? "";
  const hidden = Object.fromEntries(
    [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]),
  );
  const { _csrf: csrf, do: action = "", ...fields } = hidden;
  expect(csrf).toBeTruthy();
  expect((await visitor.send(rules, action, fields)).status).toBe(303);
  expect(await onDisk()).toMatchObject({
    name: "Disk nearly full",
    condition: "below",
    threshold: 5120,
    duration_minutes: 5,
    notify_in_app: true,
  });
  expect(textOf((await visitor.get(rules)).text)).toMatch(/Rules that suit most servers.*Slow ticks \(/);
  expect(textOf((await visitor.get(rules)).text)).not.toContain("Disk nearly full (");
  await beats(7, { disk_free_mb: 5119 });
  expect(await onDisk()).toMatchObject({ state: "firing", last_value: 5119 });
  expect(service.defects).toEqual([]);
  await service.close();
});
