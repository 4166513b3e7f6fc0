import type { ContentAction, MediaAction, RolePermissions } from '../../../../../../../client/admin.ts'

export const contentActions: readonly ContentAction[] = ['read', 'create', 'update', 'delete', 'publish']
export const mediaActions: readonly MediaAction[] = ['read', 'write', 'delete']

/** Stands for every type that has no line of its own. */
export const everyType = '*'

/** Whether a type has permissions of its own rather than those of every other type. */
export const isOwn = ({ content }: RolePermissions, type: string) => Object.hasOwn(content, type)

/** What counts for a type: its own permissions alone, else those of every other type. */
export function grantedFor({ content }: RolePermissions, type: string): ReadonlySet<ContentAction> {
  const granted = (Object.hasOwn(content, type) ? content[type] : content[everyType]) ?? {}
  return new Set(contentActions.filter((action) => granted[action] === true))
}

/** Allows or forbids an action; a type that had no line of its own begins one with what has counted so far. */
export function withContent(
  permissions: RolePermissions,
  type: string,
  actions: readonly ContentAction[],
  isAllowed: boolean,
): RolePermissions {
  const before = grantedFor(permissions, type)
  const line = Object.fromEntries(
    contentActions.map((action) => [action, actions.includes(action) ? isAllowed : before.has(action)]),
  )
  return { ...permissions, content: { ...permissions.content, [type]: line } }
}

/** Lets what is allowed on every other type count for this one again. */
export function withoutOwn(permissions: RolePermissions, type: string): RolePermissions {
  const content = Object.fromEntries(Object.entries(permissions.content).filter(([name]) => name !== type))
  return { ...permissions, content }
}

export function withMedia(
  permissions: RolePermissions,
  action: MediaAction,
  isAllowed: boolean,
): RolePermissions {
  return { ...permissions, media: { ...permissions.media, [action]: isAllowed } }
}
