import type { Auth } from '../../accounts/auth/auth.ts'
import { AppError, type Policy, type Principal } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { Release } from './releases.ts'

/** The permissions of callers on releases; see docs/editorial.md. */
export interface ReleaseRights {
  /** Whether the caller is an administrator, a token with the scope, or an admin user who may publish at least one type. */
  mayRead(principal: Principal): boolean
  mayFill(principal: Principal): boolean
  /** Whether the caller may manage all releases, including the removal of entries that the caller could not publish. */
  mayManage(principal: Principal): boolean
  mayReadType(principal: Principal, type: string): boolean
  /** A caller who may publish a type may also see its entries in releases. */
  mayKnowOf(principal: Principal, type: string): boolean
  mayPublish(principal: Principal, type: string): boolean
  /** @throws AppError 403 */
  assertPublisher(principal: Principal, types: Iterable<string>): void
  /** A release as the caller may see it: failures are limited to types that the caller may know about. */
  shown(release: Release, principal: Principal): Release
}

export function createReleaseRights(auth: Auth, { types }: Schemas): ReleaseRights {
  const publishable = [...types.values()].filter(({ options }) => options.draftAndPublish)
  const mayPublish = (principal: Principal, type: string) => auth.mayContent(principal, type, 'publish')
  const publishesAny = (principal: Principal) =>
    principal.kind === 'admin' && publishable.some(({ name }) => mayPublish(principal, name))
  const mayManage = (principal: Principal) => auth.mayAdminister(principal, 'admin:releases:write')
  const mayKnowOf = (principal: Principal, type: string) =>
    auth.mayContent(principal, type, 'read') || mayPublish(principal, type)
  return {
    mayRead: (principal) => auth.mayAdminister(principal, 'admin:releases:read') || publishesAny(principal),
    mayFill: (principal) => mayManage(principal) || publishesAny(principal),
    mayManage,
    mayReadType: (principal, type) => auth.mayContent(principal, type, 'read'),
    mayKnowOf,
    mayPublish,
    assertPublisher(principal, wanted) {
      for (const type of wanted) if (!mayPublish(principal, type)) throw notAPublisher()
    },
    shown(release, principal) {
      const { error } = release
      if (error === null || publishable.every(({ name }) => mayKnowOf(principal, name))) return release
      const details = error.details.filter(({ path }) => mayKnowOf(principal, path.split(':')[0] ?? ''))
      return { ...release, error: { message: 'it could not be published', details } }
    },
  }
}

/** The policies that the routes name. */
export function releasePolicies({ mayRead, mayFill }: ReleaseRights): Policy[] {
  return [
    { name: 'releases.read', check: ({ principal }) => mayRead(principal) },
    { name: 'releases.write', check: ({ principal }) => mayFill(principal) },
  ]
}

function notAPublisher(): AppError {
  return AppError.forbidden(
    'publishing or scheduling a release requires permission to publish all of its entries',
  )
}
