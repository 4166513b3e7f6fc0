import type { Auth } from '../../accounts/auth/auth.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'

/** In the place of a content type, for samples, which tell nothing. */
export const testType = 'test'

/** In the place of a content type, for events of plugins that tell of none. No type has such a name. */
export const administratorsOnly = '(administrators)'

/** Who may receive events of entries. They hold drafts too, so that takes the right to see them where there are any. */
export interface ReceivingRights {
  mayReceive(principal: Principal, contentType: string): boolean
  /** The content types whose events the principal may receive. */
  typesFor(principal: Principal): ReadonlySet<string>
  /** Whether whoever made a webhook may receive the events of the type as of now. */
  makerMayReceive(madeBy: string | null, contentType: string): Promise<boolean>
  /** The same, for all types at once. */
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
