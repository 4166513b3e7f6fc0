import type { Principal } from '../http/http.ts'
import type { ListedSectionDefinition } from './listed-section.ts'

/**
 * The rights for a section that has one scope for reading and one for writing, such as `admin:roles:read` and
 * `admin:roles:write`.
 */
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
