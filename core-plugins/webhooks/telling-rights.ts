import type { Auth } from '../auth/auth.ts'
import type { Principal } from '../http/http.ts'
import type { Schemas } from '../schemas/schemas.ts'

/** In the place of a content type, for samples, which tell nothing. */
export const testType = 'test'

/** In the place of a content type, for events of plugins that tell of none. No type has such a name. */
export const administratorsOnly = '(administrators)'

/** Who may be told of entries. What is told holds drafts too, so it takes the right to see them where there are any. */
export interface TellingRights {
  mayBeTold(principal: Principal, contentType: string): boolean
  /** The content types that the principal may be told of. */
  typesFor(principal: Principal): ReadonlySet<string>
  /** Whether whoever made a webhook may be told of the type as of now. */
  makerMayBeTold(madeBy: string | null, contentType: string): Promise<boolean>
  /** The same, for all types at once. */
  typesForMaker(madeBy: string | null): Promise<ReadonlySet<string>>
}

export function createTellingRights(auth: Auth, { types }: Schemas): TellingRights {
  const mayBeTold: TellingRights['mayBeTold'] = (principal, contentType) => {
    if (contentType === testType && !types.has(testType)) return true
    if (contentType === administratorsOnly) return auth.isAdministrator(principal)
    if (!auth.mayContent(principal, contentType, 'read')) return false
    const hasDrafts = types.get(contentType)?.options.draftAndPublish !== false
    return !hasDrafts || auth.seesDrafts(principal, contentType)
  }
  const typesFor: TellingRights['typesFor'] = (principal) =>
    new Set([...types.keys()].filter((type) => mayBeTold(principal, type)))

  return {
    mayBeTold,
    typesFor,
    async makerMayBeTold(madeBy, contentType) {
      const maker = await auth.makers.find(madeBy)
      return maker !== undefined && mayBeTold(maker, contentType)
    },
    async typesForMaker(madeBy) {
      const maker = await auth.makers.find(madeBy)
      return maker === undefined ? new Set() : typesFor(maker)
    },
  }
}
