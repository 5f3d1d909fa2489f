import { action } from "../../contract/endpoint/action.ts";

export const getWaysIn = action({
  id: "accounts.get_ways_in",
  who: "anyone",
  errors: [],

  run: async (_, { people }) => ({ sign_up: people.signUp, sends_mail: people.mail !== null }),
});
