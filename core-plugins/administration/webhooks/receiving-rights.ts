import type { Auth } from '../../accounts/auth/auth.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'

/** The content type name for samples, which contain no content. */
export const testType = 'test'

/** The content type name for events without one. No type can have this name. */
export const administratorsOnly = '(administrators)'

/**
 * Decides who may receive events of entries. Events contain drafts too, so types with drafts require the permission to see
 * them.
 */
export interface ReceivingRights {
  mayReceive(principal: Principal, contentType: string): boolean
  /** The content types whose events the principal may receive. */
  typesFor(principal: Principal): ReadonlySet<string>
  /** Whether the maker of a webhook may receive events of the type at present. */
  makerMayReceive(madeBy: string | null, contentType: string): Promise<boolean>
  /** Like `makerMayReceive`, for all types at once. */
  typesForMaker(madeBy: string | null): Promise<ReadonlySet<string>>
}

export function createReceivingRights(auth: Auth, { types }: Schemas): ReceivingRights {
  const mayReceive: ReceivingRights['mayReceive'] = (principal, contentType) => {
    if (contentType === testType && !types.has(testType)) return true
    if (contentType === administratorsOnly) return auth.isAdministrator(principal)
    if (!auth.mayContent(principal, contentType, 'read')) return false
    const hasDrafts = types.get(contentType)?.options.draftAndPublish !== false
    return !hasDrafts || auth.seesDrafts(principal, contentType)
  }
  const typesFor: ReceivingRights['typesFor'] = (principal) =>
    new Set([...types.keys()].filter((type) => mayReceive(principal, type)))

  return {
    mayReceive,
    typesFor,
    async makerMayReceive(madeBy, contentType) {
      const maker = await auth.makers.find(madeBy)
      return maker !== undefined && mayReceive(maker, contentType)
    },
    async typesForMaker(madeBy) {
      const maker = await auth.makers.find(madeBy)
      return maker === undefined ? new Set() : typesFor(maker)
    },
  }
}
