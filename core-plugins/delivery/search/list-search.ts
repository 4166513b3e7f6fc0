import { sql } from 'drizzle-orm'
import type { EntrySearch, RestrictedEntry, Restriction } from '../../entries/content/content.ts'
import type { Recipient } from '../../foundation/database/database.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import { clausesOf } from './clauses.ts'
import { withCorrections } from './corrections.ts'
import type { SearchEngine } from './engines/engine.ts'
import { indexName } from './index-state.ts'
import type { SearchLocales } from './search-locales.ts'
import type { SearchedTexts } from './searched-texts.ts'
import { problemsOf, type Term, termsIn } from './terms.ts'
import type { Tokenizers } from './tokenizers.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface ListSearchDeps {
  readonly engine: SearchEngine
  readonly texts: SearchedTexts
  readonly locales: SearchLocales
  readonly tokenizers: Tokenizers
  readonly vocabulary: Vocabulary
}

/** The parameter `search` of lists: finds the same words as the search over all types, in the same index. */
export function createListSearch({
  engine,
  texts,
  locales,
  tokenizers,
  vocabulary,
}: ListSearchDeps): EntrySearch {
  const searched = new Set(texts.types.map(({ name }) => name))

  const names = Object.keys(engine.valuesOf([]))
  const valuesOf = (terms: readonly Term[], type: ContentType) => {
    const values = engine.valuesOf(clausesOf(terms))
    return [...names.map((name) => values[name]), type.name]
  }

  function restrictionOf(type: ContentType, terms: readonly Term[], typos: boolean): Restriction {
    const corrected = async (recipient: Recipient | undefined) =>
      valuesOf(await withCorrections({ terms, types: [type.name], recipient }, vocabulary), type)
    return {
      shape: 'search',
      isCostly: true,
      dependsOn: indexName,
      values: valuesOf(terms, type).map((value) => ({ kind: 'text', value })),
      ...(typos ? { readValues: corrected } : {}),
      // Prevents the use of the index on the type, since the index on words is more selective.
      where: (entry) => sql`${entry.column('id')} in (select d.entry_id from ${engine.anywhere.from}
        where ${engine.anywhere.matches((name) => entry.value(names.indexOf(String(name))))}
          and coalesce(d.type, '') = ${entry.value(names.length)})`,
    }
  }

  return {
    matches: ({ name }) => searched.has(name),
    restrict({ type, text, typos, locale, problems }) {
      const terms = termsIn(text, { locales: locales.of([type], locale), tokenizers })
      for (const message of problemsOf(terms)) problems.push({ path: 'search', code: 'maxItems', message })
      if (terms.every(({ isExcluded }) => isExcluded)) return nothing
      return restrictionOf(type, terms, typos)
    },
  }
}

/** A search without any words matches nothing. */
const nothing: Restriction = { shape: 'nothing', values: [], where: (_entry: RestrictedEntry) => sql`1 = 0` }
