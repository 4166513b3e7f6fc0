import type { ContentAction, MediaAction, RolePermissions } from '../../../../../../../client/admin.ts'

export const contentActions: readonly ContentAction[] = ['read', 'create', 'update', 'delete', 'publish']
export const mediaActions: readonly MediaAction[] = ['read', 'write', 'delete']

/** The key for all types without permissions of their own. */
export const everyType = '*'

/** Whether a type has its own permissions instead of the default ones. */
export const isOwn = ({ content }: RolePermissions, type: string) => Object.hasOwn(content, type)

/** The permissions in effect for a type: its own, else the default ones. */
export function grantedFor({ content }: RolePermissions, type: string): ReadonlySet<ContentAction> {
  const granted = (Object.hasOwn(content, type) ? content[type] : content[everyType]) ?? {}
  return new Set(contentActions.filter((action) => granted[action] === true))
}

/** Allows or forbids an action; a type without its own permissions starts with a copy of the default ones. */
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

/** Removes a type's own permissions, so that the default ones apply again. */
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
