import { listTeamMemberSessions } from "@purser/contract/auth/activeSessions";
import type { Wire } from "@purser/contract/http/endpoint";
import { getRoles, getTeamMember, listTeam } from "@purser/contract/users/team";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";

export type Member = Wire<typeof getTeamMember>["reply"];

export const memberQuery = (id: string) =>
  queryOptions({
    queryKey: ["team", "one", id],
    queryFn: () => call(getTeamMember, { params: { id } }),
    // A worker sends the invitation, which expires from then on.
    refetchInterval: ({ state: { data } }) =>
      data?.status === "invited" && data.invitationEndsAt === null ? 2000 : false,
  });

export const sessionsQuery = (id: string) =>
  queryOptions({
    queryKey: ["team", "sessions", id],
    queryFn: async () => (await call(listTeamMemberSessions, { params: { id } })).items,
  });

export const rolesQuery = queryOptions({
  queryKey: ["team", "roles"],
  queryFn: async () => (await call(getRoles)).items,
});

/** The team members of a role; above a hundred only their number. */
export const customersQuery = queryOptions({
  queryKey: ["team", "people"],
  queryFn: () => call(listTeam, { query: { sort: "name", size: "100" } }),
});

/** After an action: refetches everything that shows the team member. */
export const teamChanged = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ["team"] }),
    queryClient.invalidateQueries({ queryKey: ["users"] }),
  ]);
