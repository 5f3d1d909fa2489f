/** A link in the examples of endpoints. */
export const exampleProfileLink = {
  server_id: "019a9f5e-1d00-7000-8000-000000000010",
  profile_id: "019a9f5e-1d00-7000-8000-000000000051",
  link: {
    id: "019a9f5e-1d00-7000-8000-000000000061",
    created_at: "2026-11-20T12:00:00.000Z",
    expires_at: "2026-11-27T12:00:00.000Z",
  },
} as const;
