import type { z } from "zod";
import { changeTokenRights } from "../../../../../actions/access/change-token-rights.ts";
import { getSecondFactor } from "../../../../../actions/access/get-second-factor.ts";
import { listTokens } from "../../../../../actions/access/list-tokens.ts";
import { notFound, Refusal } from "../../../../../core/errors.ts";
import { scopes } from "../../../../../core/access/scope.ts";
import { personPage } from "../../../../page.ts";
import { OwnFactorField } from "../../../../parts/factor-field.tsx";
import { Button, Form } from "../../../../parts/form.tsx";
import { Text } from "../../../../parts/value.tsx";
import { BelowSecurity } from "../../below-security.tsx";
import { ScopeChoice } from "../scopes.tsx";

type Sent = z.input<(typeof changeTokenRights)["input"]>;

/** What one token or connection may do. */
export const rightsPage = personPage({
  path: "/settings/security/rights/{id}",

  async show({ call, params }, problem) {
    const { data } = await call(listTokens, {});
    const token = data.find(({ id, state }) => id === params["id"] && state !== "expired");
    if (token === undefined) throw notFound();
    const factor = await call(getSecondFactor, {});
    const ticked = problem?.action === "change" ? problem.form.getAll("scopes") : token.scopes;
    return {
      title: "Rights of a token",
      body: (
        <BelowSecurity title="Rights of a token">
          <p>
            What <Text value={token.name} /> may do. A change holds from the next call on, and an assistant
            gets its new list of tools.
          </p>
          <Form does="change">
            <ScopeChoice of={scopes} ticked={ticked} />
            <OwnFactorField of="change" factor={factor} onlyFor="to add a right" />
            <Button>Save the rights</Button>
          </Form>
        </BelowSecurity>
      ),
    };
  },

  actions: {
    change: async ({ call, form, params }) => {
      if (!form.has("scopes"))
        throw new Refusal("validation_error", "Tick at least one right, or revoke the token.", {
          field: "scopes",
        });
      await call(changeTokenRights, {
        token_id: params["id"] ?? "",
        // The action refuses an unknown scope.
        scopes: form.getAll("scopes") as Sent["scopes"],
        second_factor: form.get("second_factor") ?? "",
      });
      return { to: "/settings/security#tokens" };
    },
  },
});
