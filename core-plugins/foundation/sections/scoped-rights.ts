import type { Principal } from '../http/http.ts'
import type { ListedSectionDefinition } from './listed-section.ts'

/** The rights of a section that is read and written with a scope each, such as `admin:roles:read` and `admin:roles:write`. */
export function scopedRights(
  auth: { mayAdminister(principal: Principal, scope: string): boolean },
  area: string,
): Pick<ListedSectionDefinition, 'readingTakes' | 'mayRead' | 'refusal'> {
  const [reading, writing] = [`${area}:read`, `${area}:write`]
  return {
    readingTakes: reading,
    mayRead: (principal) => auth.mayAdminister(principal, reading),
    refusal: (principal) => (auth.mayAdminister(principal, writing) ? undefined : `takes ${writing}`),
  }
}
