import { type SQL, sql } from 'drizzle-orm'
import type { Auth } from '../auth/auth.ts'
import { type Content, type Entry, observerOf } from '../content/content.ts'
import { type Database, type InList, query, type Recipient, type Value } from '../database/database.ts'
import { AppError, type ErrorDetail, type Principal } from '../http/http.ts'
import type { ContentType, Schemas } from '../schemas/schemas.ts'
import { clausesOf } from './clauses.ts'
import type { SearchEngine, SearchScope } from './engines/engine.ts'
import { highlight } from './highlight.ts'
import { indexName } from './index-state.ts'
import type { Search, SearchHit, SearchPage, SearchRequest } from './search.ts'
import type { SearchedTexts } from './searched-texts.ts'
import { problemsOf, type Term, termsIn } from './terms.ts'
import { type Tokenizers, tokensOfHighlights } from './tokenizers.ts'

export interface FinderDeps {
  readonly auth: Auth
  readonly content: Content
  readonly database: Database
  readonly schemas: Schemas
  readonly texts: SearchedTexts
  readonly engine: SearchEngine
  /** The locales that entries may have. */
  readonly locales: () => readonly string[]
  /** The locale for entries without one. */
  readonly defaultLocale: () => string
  readonly tokenizers: Tokenizers
}

/** A document that was found. */
interface Found {
  readonly type: string
  readonly entryId: number
  readonly score: number
}

/** Every document found is ranked word by word, however many there are. */
const costly = { isCostly: true }

const nothing: SearchPage = { hits: [], total: 0 }

export function createFinder(deps: FinderDeps): Search['search'] {
  const { engine, database } = deps
  const statementsOf = (scope: SearchScope) => ({
    anyLocale: createStatements(scope, false),
    oneLocale: createStatements(scope, true),
  })
  const statements = { anywhere: statementsOf(engine.anywhere), byField: statementsOf(engine.byField) }

  /** Drafts are hidden in the statement itself, so that totals and pages do not reveal them. */
  function createStatements(scope: SearchScope, hasLocale: boolean) {
    const where = (value: Value, inList: InList): SQL => {
      // Avoids an index on the type: that on the words is more selective, which PostgreSQL cannot know.
      const type = sql`coalesce(d.type, '')`
      const open = inList(type, 'openTypes', 'string')
      const dated = sql`${inList(type, 'datedTypes', 'string')} and d.published_at <= ${value('now', 'datetime')}`
      const locale = sql` and (d.locale is null or d.locale = ${value('locale', 'string')})`
      return sql`${scope.matches(value)} and (${open} or (${dated}))${hasLocale ? locale : sql``}`
    }
    const page = query<Found>(
      database,
      (
        value,
        inList,
      ) => sql`select d.type as ${sql.identifier('type')}, d.entry_id as ${sql.identifier('entryId')},
          ${scope.score(value)} as ${sql.identifier('score')}
        from ${scope.from} where ${where(value, inList)}
        order by 3 desc, d.type, d.entry_id limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`,
      {},
      costly,
    )
    const count = query<{ total: number }>(
      database,
      (value, inList) => sql`select count(*) as ${sql.identifier('total')}
        from ${scope.from} where ${where(value, inList)}`,
      { total: { column: 'total', kind: 'integer' } },
      costly,
    )
    return { page, count }
  }

  return async (request) => {
    const types = visibleTypes(request, deps)
    const { terms, fields } = understood(request, types, deps)
    const wanted = terms.filter(({ isExcluded }) => !isExcluded)
    if (wanted.length === 0 || types.length === 0) return nothing
    const values = {
      ...visibilityOf(types, request.principal, deps.auth),
      ...engine.valuesOf(clausesOf(terms, fields)),
      locale: request.locale,
      now: new Date().toISOString(),
      limit: request.limit,
      offset: request.offset,
    }
    const { page, count } =
      statements[fields === undefined ? 'anywhere' : 'byField'][
        request.locale === undefined ? 'anyLocale' : 'oneLocale'
      ]
    const { recipient } = request
    observe(values, recipient, deps)
    const [found, counted] = await Promise.all([
      page.all(values, database, recipient),
      count.get(values, database, recipient),
    ])
    return { hits: await hitsOf(found, { terms, fields }, request, deps), total: counted?.total ?? 0 }
  }
}

/** What is looked for, and in which fields; undefined: in any. */
interface Understood {
  readonly terms: readonly Term[]
  readonly fields: readonly string[] | undefined
}

/** @throws AppError 400 with all problems */
function understood(request: SearchRequest, types: readonly ContentType[], deps: FinderDeps): Understood {
  const locales = localesOf(request, deps)
  const terms = termsIn(request.text, { locales, tokenizers: deps.tokenizers, prefix: request.prefix })
  const problems: ErrorDetail[] = problemsOf(terms).map((message) => ({
    path: 'q',
    code: 'maxItems',
    message,
  }))
  const known = [...new Set(types.flatMap((type) => deps.texts.fields(type)))]
  const fields = request.fields && fieldsNamed(request.fields, known, problems)
  if (fields !== undefined && fields.length * terms.length > maxFieldTerms) {
    const message = `takes at most ${maxFieldTerms} words, counted once for each of the ${fields.length} fields`
    problems.push({ path: 'fields', code: 'maxItems', message })
  }
  if (problems.length > 0) throw AppError.invalid(problems)
  return { terms, fields }
}

/** Each word is looked for in each field. */
const maxFieldTerms = 256

/** A field that only types hidden from the caller have is as unknown as any other. */
function fieldsNamed(names: readonly string[], known: readonly string[], problems: ErrorDetail[]): string[] {
  const found = new Set<string>()
  for (const name of new Set(names)) {
    const named = known.filter((field) => field === name || field.startsWith(`${name}.`))
    if (named.length === 0) {
      const message = `none of the searched types has a text field ${name}`
      problems.push({ path: 'fields', code: 'unknown', message })
    }
    for (const field of named) found.add(field)
  }
  return [...found]
}

/** The locales that matching entries may have. */
function localesOf({ locale }: SearchRequest, { locales, defaultLocale }: FinderDeps): readonly string[] {
  return locale === undefined ? locales() : [...new Set([locale, defaultLocale()])]
}

/** @throws AppError 400, 403 */
function visibleTypes(
  { types, principal }: SearchRequest,
  { auth, schemas, texts }: FinderDeps,
): ContentType[] {
  for (const name of types ?? []) if (!auth.mayContent(principal, name, 'read')) auth.refuse(principal)
  const unknown = (types ?? []).filter((name) => !schemas.types.has(name))
  if (unknown.length > 0) {
    const problem = (name: string) => ({
      path: 'types',
      code: 'unknown',
      message: `there is no type ${name}`,
    })
    throw AppError.invalid(unknown.map(problem))
  }
  return texts.types.filter(
    ({ name }) => (types === undefined || types.includes(name)) && auth.mayContent(principal, name, 'read'),
  )
}

function visibilityOf(types: readonly ContentType[], principal: Principal, auth: Auth) {
  const isOpen = ({ name, options }: ContentType) =>
    !options.draftAndPublish || auth.seesDrafts(principal, name)
  const names = (list: readonly ContentType[]) => list.map(({ name }) => name)
  return { openTypes: names(types.filter(isOpen)), datedTypes: names(types.filter((type) => !isOpen(type))) }
}

/**
 * Every change of a searched type may change what is found, its order and its number. So may those of the others: how rare
 * a word is in all of the index is part of the score.
 */
function observe(
  { datedTypes }: ReturnType<typeof visibilityOf>,
  recipient: Recipient | undefined,
  { texts }: FinderDeps,
): void {
  const observer = observerOf(recipient)
  if (observer === undefined) return
  for (const { name } of texts.types) observer.dependsOn(name)
  observer.dependsOn(indexName)
  observer.waitsFor(datedTypes)
}

/** In the order found. Leaves out entries that were deleted since or are hidden by middleware. */
async function hitsOf(
  found: readonly Found[],
  { terms, fields }: Understood,
  { principal, recipient }: SearchRequest,
  deps: FinderDeps,
): Promise<SearchHit[]> {
  const entries = new Map<string, Entry>()
  const reads = deps.content.within()
  const load = async (type: string) => {
    const ids = found.filter((each) => each.type === type).map(({ entryId }) => entryId)
    for (const entry of await reads.findMany(type, ids, { principal, recipient }))
      entries.set(`${type} ${entry.id}`, entry)
  }
  await Promise.all([...new Set(found.map(({ type }) => type))].map(load))
  const tokensOf = tokensOfHighlights(deps.tokenizers)
  return found.flatMap((each) => {
    const type = deps.schemas.types.get(each.type)
    const entry = entries.get(`${each.type} ${each.entryId}`)
    return type === undefined || entry === undefined
      ? []
      : [hitOf(each, { type, entry, terms, fields, tokensOf }, deps)]
  })
}

interface HitParts extends Understood {
  readonly type: ContentType
  readonly entry: Entry
  readonly tokensOf: Tokenizers['tokensOf']
}

function hitOf(
  { score }: Found,
  { type, entry, terms, fields, tokensOf }: HitParts,
  { texts, defaultLocale }: FinderDeps,
): SearchHit {
  const locale = typeof entry.locale === 'string' ? entry.locale : defaultLocale()
  const highlights = texts.of(type, entry).flatMap(({ path, field, text }) => {
    if (fields !== undefined && !fields.includes(field)) return []
    const html = highlight(text, terms, { locale, tokens: tokensOf(text, locale) })
    return html === undefined ? [] : [[path, html]]
  })
  const title = entry[texts.titleField(type) ?? '']
  return {
    type: type.name,
    id: entry.id,
    title: typeof title === 'string' ? title : null,
    score: Number(Number(score).toPrecision(6)),
    highlights: Object.fromEntries(highlights),
    entry,
  }
}
