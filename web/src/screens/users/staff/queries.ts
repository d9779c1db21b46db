import { listStaffSessions } from "@purser/contract/auth/activeSessions";
import type { Wire } from "@purser/contract/http/endpoint";
import { getRoles, getStaffMember, listStaff } from "@purser/contract/users/team";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";

export type Member = Wire<typeof getStaffMember>["reply"];

export const memberQuery = (id: string) =>
  queryOptions({
    queryKey: ["staff", "one", id],
    queryFn: () => call(getStaffMember, { params: { id } }),
  });

export const sessionsQuery = (id: string) =>
  queryOptions({
    queryKey: ["staff", "sessions", id],
    queryFn: async () => (await call(listStaffSessions, { params: { id } })).items,
  });

export const rolesQuery = queryOptions({
  queryKey: ["staff", "roles"],
  queryFn: async () => (await call(getRoles)).items,
});

/** The team members of a role; above a hundred only their number. */
export const customersQuery = queryOptions({
  queryKey: ["staff", "people"],
  queryFn: () => call(listStaff, { query: { sort: "name", size: "100" } }),
});

/** After an action: refetches everything that shows the team member. */
export const staffChanged = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ["staff"] }),
    queryClient.invalidateQueries({ queryKey: ["users"] }),
  ]);
