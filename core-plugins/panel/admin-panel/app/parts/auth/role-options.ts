import { queryOptions, useQuery } from '@tanstack/react-query'
import { useAccess } from '../../ground/access/access.ts'
import { admin } from '../../ground/api/admin.ts'

/** The key of what is read of roles; a change of one makes all of it stale. */
export const rolesKey = 'roles'

export const roleList = queryOptions({
  queryKey: [rolesKey, 'all'],
  queryFn: ({ signal }) => admin.roles.list({ signal }),
})

const ofAdmins = new Set(['super-admin', 'admin', 'editor'])
const ofVisitors = new Set(['authenticated', 'public'])

/** Roles whose accounts only super-admins may change. */
export const isReserved = (role: string) => role === 'super-admin' || role === 'admin'

/** The roles that accounts of a kind can have, as far as the caller may read roles and give them. */
export function useRoleOptions(kind: 'admin' | 'user', present?: string) {
  const access = useAccess()
  const { data = [] } = useQuery({ ...roleList, enabled: access.mayArea('roles') })
  const names = data
    .map(({ name }) => name)
    .filter((name) => (kind === 'admin' ? !ofVisitors.has(name) : !ofAdmins.has(name) && name !== 'public'))
    .filter((name) => access.isSuperAdmin || !isReserved(name))
  const all = present === undefined || names.includes(present) ? names : [present, ...names]
  return all.map((name) => ({ value: name, label: name }))
}
