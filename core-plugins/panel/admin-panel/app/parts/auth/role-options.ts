import { queryOptions, useQuery } from '@tanstack/react-query'
import { useAccess } from '../../ground/access/access.ts'
import { admin } from '../../ground/api/admin.ts'

/** The query key prefix of roles; changing a role invalidates all of them. */
export const rolesKey = 'roles'

export const roleList = queryOptions({
  queryKey: [rolesKey, 'all'],
  queryFn: ({ signal }) => admin.roles.list({ signal }),
})

const ofAdmins = new Set(['super-admin', 'admin', 'editor'])
const ofVisitors = new Set(['authenticated', 'public'])

/** Whether only super admins may change accounts with this role. */
export const isReserved = (role: string) => role === 'super-admin' || role === 'admin'

/** The roles for accounts of a kind that the user may read and assign. */
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
