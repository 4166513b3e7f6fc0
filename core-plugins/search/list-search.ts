import { sql } from 'drizzle-orm'
import type { EntrySearch, RestrictedEntry, Restriction } from '../content/content.ts'
import type { ContentType } from '../schemas/schemas.ts'
import type { SearchEngine } from './engines/engine.ts'
import type { SearchedTexts } from './searched-texts.ts'
import { termsIn, tooManyTerms } from './terms.ts'

export interface ListSearchScope {
  readonly engine: SearchEngine
  readonly texts: SearchedTexts
  /** In whose languages entries may be. */
  readonly locales: () => readonly string[]
}

/** `search` of lists: the same words as those of the search over all types, by the same index. */
export function createListSearch({ engine, texts, locales }: ListSearchScope): EntrySearch {
  const searched = new Set(texts.types.map(({ name }) => name))

  function restrictionOf(type: ContentType, terms: string): Restriction {
    return {
      shape: 'search',
      isCostly: true,
      values: [
        { kind: 'text', value: terms },
        { kind: 'string', value: type.name },
      ],
      // No use of an index on the type: that of the words leaves less to look at.
      where: (entry) => sql`${entry.column('id')} in (select d.entry_id from ${engine.from}
        where ${engine.matches(() => entry.value(0))} and coalesce(d.type, '') = ${entry.value(1)})`,
    }
  }

  return {
    matches: ({ name }) => searched.has(name),
    restrict({ type, text, problems }) {
      if (text.trim() === '') return undefined
      const terms = termsIn(text, locales())
      const problem = tooManyTerms(terms)
      if (problem !== undefined) problems.push({ path: 'search', code: 'maxItems', message: problem })
      if (terms.every(({ isExcluded }) => isExcluded)) return nothing
      return restrictionOf(type, engine.expression(terms))
    },
  }
}

/** Where no word is left, nothing is found. */
const nothing: Restriction = { shape: 'nothing', values: [], where: (_entry: RestrictedEntry) => sql`1 = 0` }
