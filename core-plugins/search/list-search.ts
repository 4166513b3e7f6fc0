import { sql } from 'drizzle-orm'
import type { EntrySearch, RestrictedEntry, Restriction } from '../content/content.ts'
import type { ContentType } from '../schemas/schemas.ts'
import { clausesOf } from './clauses.ts'
import type { SearchEngine } from './engines/engine.ts'
import { indexName } from './index-state.ts'
import type { SearchedTexts } from './searched-texts.ts'
import { problemsOf, termsIn } from './terms.ts'
import type { Tokenizers } from './tokenizers.ts'

export interface ListSearchDeps {
  readonly engine: SearchEngine
  readonly texts: SearchedTexts
  /** The locales that entries may have. */
  readonly locales: () => readonly string[]
  readonly tokenizers: Tokenizers
}

/** `search` in lists: finds the same words as the search over all types, with the same index. */
export function createListSearch({ engine, texts, locales, tokenizers }: ListSearchDeps): EntrySearch {
  const searched = new Set(texts.types.map(({ name }) => name))

  function restrictionOf(type: ContentType, terms: string): Restriction {
    return {
      shape: 'search',
      isCostly: true,
      dependsOn: indexName,
      values: [
        { kind: 'text', value: terms },
        { kind: 'string', value: type.name },
      ],
      // Avoids an index on the type: that on the words is more selective.
      where: (entry) => sql`${entry.column('id')} in (select d.entry_id from ${engine.anywhere.from}
        where ${engine.anywhere.matches(() => entry.value(0))} and coalesce(d.type, '') = ${entry.value(1)})`,
    }
  }

  return {
    matches: ({ name }) => searched.has(name),
    restrict({ type, text, problems }) {
      if (text.trim() === '') return undefined
      const terms = termsIn(text, { locales: locales(), tokenizers })
      for (const message of problemsOf(terms)) problems.push({ path: 'search', code: 'maxItems', message })
      if (terms.every(({ isExcluded }) => isExcluded)) return nothing
      return restrictionOf(type, engine.expression(clausesOf(terms)))
    },
  }
}

/** If no words remain, nothing matches. */
const nothing: Restriction = { shape: 'nothing', values: [], where: (_entry: RestrictedEntry) => sql`1 = 0` }
