import type { z } from "zod";
import type { SessionCaller } from "../../../../contract/call/caller.ts";
import { Refusal } from "../../../../core/errors.ts";
import { groupColors, maxGroups, type ServerGroup } from "../../../../core/server/server-group.ts";
import { createServerGroup } from "../../../../endpoints/api/server/create-server-group.ts";
import { listServerGroups } from "../../../../endpoints/api/server/list-server-groups.ts";
import { updateServerGroup } from "../../../../endpoints/api/server/update-server-group.ts";
import { deleteServerGroup } from "../../../../actions/server/delete-server-group.ts";
import { Button, Check, Choice, FormField, Form } from "../../../parts/form.tsx";
import { Card, Empty } from "../../../parts/state.tsx";
import { Text } from "../../../parts/value.tsx";
import {
  personPage,
  type ActionResult,
  type FormProblem,
  type PageContent,
  type Submission,
  type PageRequest,
} from "../../../page.ts";

type Sent = Submission<SessionCaller>;

export const groupsPage = personPage({
  path: "/groups",
  show,
  actions: { create, save, delete: remove },
});

const here: ActionResult = { to: "/groups" };

const colors = [["", "No colour"], ...groupColors.map((color) => [color, color] as const)] as const;

async function show({ call }: PageRequest<SessionCaller>, problem: FormProblem | null): Promise<PageContent> {
  const { data } = await call(listServerGroups, {});
  return {
    title: "Server groups",
    body: (
      <>
        <h1>Server groups</h1>
        <p class="quiet">
          Groups sort the list of servers and change nothing else. An account has at most {maxGroups} groups,
          shown by their position.
        </p>
        {data.length === 0 && (
          <Empty
            title="No groups yet"
            next={
              <p>
                <a href="#new">Create one</a>, then choose it in the settings of a server.
              </p>
            }
          >
            <p>Your groups will be here with their number of servers.</p>
          </Empty>
        )}
        <div class="columns">
          {data.map((group) => (
            <GroupCard key={group.id} group={group} problem={problem} />
          ))}
          <Card title="New group" id="new">
            <Form does="create">
              <FormField name="name" label="Name" maxLength={64} required of="create" />
              <Choice name="color" label="Colour" options={colors} of="create" />
              <Button>Create group</Button>
            </Form>
          </Card>
        </div>
      </>
    ),
  };
}

function GroupCard({ group, problem }: { group: z.input<typeof ServerGroup>; problem: FormProblem | null }) {
  // Several forms have the same action: the typed text belongs to the form with this group's id.
  const refused = problem?.form.get("group_id") === group.id ? problem.form : null;
  const hidden = { group_id: group.id };
  const count = `${group.server_count} ${group.server_count === 1 ? "server" : "servers"}`;
  return (
    <section class="card">
      <header>
        <h2>
          <Text value={group.name} />
        </h2>
        <span class="quiet">
          {count}
          {group.color && `, ${group.color}`}
        </span>
      </header>
      <Form does="save" hidden={hidden}>
        <FormField
          name="name"
          label="Name"
          value={refused?.get("name") ?? group.name}
          maxLength={64}
          of={`save-${group.id}`}
        />
        <Choice
          name="color"
          label="Colour"
          options={colors}
          value={group.color ?? ""}
          of={`save-${group.id}`}
        />
        <FormField
          name="sort_order"
          label="Position"
          type="number"
          min={0}
          max={9999}
          value={refused?.get("sort_order") ?? group.sort_order}
          of={`save-${group.id}`}
        />
        <Button>Save group</Button>
      </Form>
      <Form does="delete" hidden={hidden}>
        <Check
          name="sure"
          label={`Delete this group. Without it, ${count} ${group.server_count === 1 ? "has" : "have"} no group`}
        />
        <Button danger>Delete group</Button>
      </Form>
    </section>
  );
}

async function create({ form, call }: Sent): Promise<ActionResult> {
  await call(createServerGroup, { name: form.get("name") ?? "", color: form.get("color") || null });
  return here;
}

async function save({ form, call }: Sent): Promise<ActionResult> {
  await call(updateServerGroup, {
    group_id: form.get("group_id") ?? "",
    name: form.get("name") ?? "",
    color: form.get("color") || null,
    sort_order: Number(form.get("sort_order") || Number.NaN),
  });
  return here;
}

async function remove({ form, call }: Sent): Promise<ActionResult> {
  if (!form.has("sure"))
    throw new Refusal("validation_error", "Tick the box to confirm that the group is deleted for good.");
  await call(deleteServerGroup, { group_id: form.get("group_id") ?? "" });
  return here;
}
