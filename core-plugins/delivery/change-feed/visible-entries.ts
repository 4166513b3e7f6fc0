import { AnswerTooLarge, type Content, type ContentQueries } from '../../entries/content/content.ts'
import type { Recipient } from '../../foundation/database/database.ts'
import type { Media } from '../media/media.ts'
import type { Following } from './following.ts'
import type { FindVisible } from './told-changes.ts'

export interface VisibleParts {
  readonly content: Content
  readonly contentQueries: ContentQueries
  readonly media: Media | undefined
}

/** Reads entries that a caller may see, within the limits of one response. */
export type Look = (following: Following, recipient: Recipient) => FindVisible

/** Reads with the rules of lists: the caller's visibility, and the read middleware of plugins. */
export function createLook({ content, contentQueries, media }: VisibleParts): Look {
  return ({ principal, withEntries }, recipient) => {
    const budget = contentQueries.answerBudget()
    const reads = content.within(budget)
    return async ({ type, isLocalized }, ids) => {
      const fields = withEntries ? undefined : isLocalized ? ['id', 'locale'] : ['id']
      if (type.system) return (await media?.findMany(ids, { principal, fields, budget })) ?? []
      return reads.findMany(type.name, ids, { principal, ...(fields && { fields }), recipient })
    }
  }
}

/** The factor by which the next attempt is smaller if a response would be too large. */
const shrinking = 4

/**
 * Responds with as many items as a response may contain, at most `count`. If a single item is still too large, its entry is
 * omitted, and clients have to request parts of it.
 */
export async function withinAnswer<Result>(
  count: number,
  following: Following,
  answer: (count: number, following: Following) => Promise<Result>,
): Promise<Result> {
  for (let size = count; ; size = Math.ceil(size / shrinking)) {
    try {
      return await answer(size, following)
    } catch (error) {
      if (!(error instanceof AnswerTooLarge)) throw error
      if (size <= 1) return answer(size, { ...following, withEntries: false })
    }
  }
}
