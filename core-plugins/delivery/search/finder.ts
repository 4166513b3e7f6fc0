import type { Auth } from '../../accounts/auth/auth.ts'
import { type Content, type Entry, observerOf } from '../../entries/content/content.ts'
import type { Database, Recipient } from '../../foundation/database/database.ts'
import { AppError, type Principal } from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import { clausesOf } from './clauses.ts'
import { correctionsIn, withCorrections } from './corrections.ts'
import type { SearchEngine } from './engines/engine.ts'
import { highlight } from './highlight.ts'
import { indexName } from './index-state.ts'
import type { Search, SearchHit, SearchPage, SearchRequest } from './search.ts'
import type { SearchLocales } from './search-locales.ts'
import { createSearchStatements, type Found } from './search-statements.ts'
import type { SearchedTexts } from './searched-texts.ts'
import type { Term } from './terms.ts'
import { type Tokenizers, tokensOfHighlights } from './tokenizers.ts'
import { type Understood, understood } from './understood.ts'
import type { Vocabulary } from './vocabulary.ts'

export interface FinderDeps {
  readonly auth: Auth
  readonly content: Content
  readonly database: Database
  readonly schemas: Schemas
  readonly texts: SearchedTexts
  readonly engine: SearchEngine
  readonly locales: SearchLocales
  readonly tokenizers: Tokenizers
  readonly vocabulary: Vocabulary
}

const nothing: SearchPage = { hits: [], total: 0 }

export function createFinder(deps: FinderDeps): Search['search'] {
  const { engine, database } = deps
  const statementsFor = createSearchStatements(database, engine)

  return async (request) => {
    const types = visibleTypes(request, deps)
    const { terms: typed, fields } = understood(request, types, deps)
    if (types.length === 0 || typed.every(({ isExcluded }) => isExcluded)) return nothing
    const { recipient } = request
    const visibility = visibilityOf(types, request.principal, deps.auth)
    observe(visibility, recipient, deps)
    const terms = request.typos === true ? await corrected(typed, types, request, deps) : typed
    const { page, count } = statementsFor({
      isByField: fields !== undefined,
      hasLocale: request.locale !== undefined,
      isExactFirst: terms !== typed,
    })
    const values = {
      ...visibility,
      ...engine.valuesOf(clausesOf(terms, fields)),
      exact: engine.expression(clausesOf(typed, fields)),
      locale: request.locale,
      now: new Date().toISOString(),
      limit: request.limit,
      offset: request.offset,
    }
    const [found, counted] = await Promise.all([
      page.all(values, database, recipient),
      count.get(values, database, recipient),
    ])
    return { hits: await hitsOf(found, { terms, fields }, request, deps), total: counted?.total ?? 0 }
  }
}

function corrected(
  terms: readonly Term[],
  types: readonly ContentType[],
  { recipient }: SearchRequest,
  { vocabulary }: FinderDeps,
): Promise<readonly Term[]> {
  return withCorrections({ terms, types: types.map(({ name }) => name), recipient }, vocabulary)
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
 * A change of any searched type may change the results, their order and their number, even for types not searched, since the
 * score depends on how rare a word is in the whole index.
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

/** Hits in the order of the results, without entries that have been deleted since or are hidden by middleware. */
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
  { texts, locales }: FinderDeps,
): SearchHit {
  const locale = typeof entry.locale === 'string' ? entry.locale : locales.standard()
  const searched = texts.of(type, entry).filter(({ field }) => fields === undefined || fields.includes(field))
  const highlights = searched.flatMap(({ path, text }) => {
    const html = highlight(text, terms, { locale, tokens: tokensOf(text, locale) })
    return html === undefined ? [] : [[path, html]]
  })
  const shown = searched.map(({ text }) => text)
  const corrections = correctionsIn(shown, terms, locale)
  const title = entry[texts.titleField(type) ?? '']
  return {
    type: type.name,
    id: entry.id,
    title: typeof title === 'string' ? title : null,
    score: Number(Number(score).toPrecision(6)),
    highlights: Object.fromEntries(highlights),
    ...(Object.keys(corrections).length > 0 && { corrections }),
    entry,
  }
}
