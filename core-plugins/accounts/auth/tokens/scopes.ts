import type { ContentAction, MediaAction } from '../auth-service.ts'

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
  'schemas',
  'transfer',
]

/** Specification, "Authentication", 7; see docs/auth.md. */
export const standardScopes: readonly string[] = [
  'content:read',
  'content:write',
  'content:delete',
  'content:publish',
  'content:drafts',
  'media:read',
  'media:write',
  'media:delete',
  'webhooks:read',
  'webhooks:write',
  ...areas.flatMap((area) => [`admin:${area}:read`, `admin:${area}:write`]),
  'admin:transfer:workflow',
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

/** The scopes with which a token sees drafts. */
const draftScopes: readonly string[] = ['content:drafts', 'content:write', 'content:publish']

/** Whether `scopes` include the required `scope`. */
export function hasScope(scopes: ReadonlySet<string>, scope: string): boolean {
  return scopes.has(scope) || scopes.has(fullAccess)
}

/** Whether `scopes` include the required `scope`, for all content types or for this one. */
export function hasScopeFor(scopes: ReadonlySet<string>, scope: string, type: string): boolean {
  return hasScope(scopes, scope) || scopes.has(`${scope}:${type}`)
}

/** Whether `scopes` include the required `scope` for at least one content type. */
export function hasScopeForSome(scopes: ReadonlySet<string>, scope: string): boolean {
  if (hasScope(scopes, scope)) return true
  for (const each of scopes) if (each.startsWith(`${scope}:`) && typedScopeOf(each) !== undefined) return true
  return false
}

/** Whether a token sees drafts of a content type. */
export function seesDraftsByScope(scopes: ReadonlySet<string>, type: string): boolean {
  return draftScopes.some((scope) => hasScopeFor(scopes, scope, type))
}

/** A scope and the content type that it is limited to: `content:read:article`. */
export interface TypedScope {
  readonly scope: string
  readonly type: string
}

/** Parses a scope that is limited to a content type; undefined for other scopes. */
export function typedScopeOf(text: string): TypedScope | undefined {
  const [, scope, type] = /^(content:(?:read|write|delete|publish|drafts)):([^:]+)$/.exec(text) ?? []
  return scope === undefined || type === undefined ? undefined : { scope, type }
}
