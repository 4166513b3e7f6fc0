import type { ContentAction, MediaAction } from './auth-service.ts'

/** Stands for every scope. */
export const fullAccess = 'admin:*'

const areas = [
  'backups',
  'jobs',
  'alerts',
  'config',
  'users',
  'roles',
  'tokens',
  'releases',
  'audit',
  'database',
]

/** Specification, "Authentication", 7; see docs/auth.md. */
export const standardScopes: readonly string[] = [
  'content:read',
  'content:write',
  'content:delete',
  'content:publish',
  'media:read',
  'media:write',
  'media:delete',
  'webhooks:read',
  'webhooks:write',
  ...areas.flatMap((area) => [`admin:${area}:read`, `admin:${area}:write`]),
  fullAccess,
]

/** The scope that a token needs for an action on content. */
export const contentScopes: Readonly<Record<ContentAction, string>> = {
  read: 'content:read',
  create: 'content:write',
  update: 'content:write',
  delete: 'content:delete',
  publish: 'content:publish',
}

/** The scope that a token needs for an action on media. */
export const mediaScopes: Readonly<Record<MediaAction, string>> = {
  read: 'media:read',
  write: 'media:write',
  delete: 'media:delete',
}

/** Whether a token with `scopes` may do what requires `scope`. */
export function hasScope(scopes: ReadonlySet<string>, scope: string): boolean {
  return scopes.has(scope) || scopes.has(fullAccess)
}
