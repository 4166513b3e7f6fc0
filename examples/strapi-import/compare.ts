import { isDeepStrictEqual } from 'node:util'
import { deterministicUuid } from '../../core-plugins/administration/migrations/deterministic-uuid.ts'

/*
 * Compares what Strapi said of its entries (truth.json, written by project/describe.js) with what this service
 * answers, field by field. It reads Strapi's schemas anew, and shares nothing with the import but the UUIDs.
 */

type Json = Record<string, unknown>

interface Attribute {
  readonly type: string
  readonly target?: string
  readonly relation?: string
  readonly mappedBy?: string
  readonly component?: string
}

/** What Strapi has. */
export interface Truth {
  readonly attributes: Readonly<Record<string, Readonly<Record<string, Attribute>>>>
  readonly entries: readonly {
    readonly type: string
    readonly status: 'draft' | 'published'
    readonly locale: string | null
    readonly entry: Json
  }[]
  readonly users: readonly { readonly username: string; readonly email: string; readonly blocked: boolean }[]
  readonly files: readonly {
    readonly id: number
    readonly name: string
    readonly alternativeText: string
    readonly caption: string
    readonly folder: string | null
  }[]
}

/** Asks this service for the `data` of an answer, with the rights of an administrator. */
export type Ask = (
  path: string,
) => Promise<{ readonly data: unknown; readonly pagination?: { readonly total: number } }>

export interface Difference {
  readonly entry: string
  readonly field: string
  readonly there: unknown
  readonly here: unknown
}

/** Attributes that have another name here, or are not brought in. */
const renamed: Readonly<Record<string, string>> = { 'api::event.event.deletedAt': 'deletedAtValue' }
const leftOut = new Set(['api::event.event.code', 'api::note.note.about'])

const ourType = (uid: string) =>
  uid === 'plugin::users-permissions.user' ? 'user' : (uid.split('.').at(-1) ?? uid)

const isSingle = (type: string) => type === 'homepage' || type === 'global'

/** What this service has, by what identifies it on both sides. */
export class Here {
  readonly #ask: Ask
  readonly #names = new Map<string, ReadonlyMap<number, string>>()

  constructor(ask: Ask) {
    this.#ask = ask
  }

  /** The localisations of entries, or of the only one that a type has. */
  async count(type: string, locales: readonly (string | null)[], hasDrafts: boolean): Promise<number> {
    if (!isSingle(type)) return (await this.#ask(`/api/content/${type}?limit=1`)).pagination?.total ?? 0
    const versions = await Promise.all(locales.map((locale) => this.single(type, locale, hasDrafts)))
    return versions.filter((version, index) => (version?.locale ?? null) === locales[index]).length
  }

  /** One entry as it is public, or with its draft. */
  async entry(type: string, uuid: string, isDraft: boolean): Promise<Json | undefined> {
    const drafts = isDraft ? '&draft=true' : ''
    const { data } = await this.#ask(`/api/content/${type}?filters[uuid][$eq]=${uuid}${drafts}`)
    return (data as Json[])[0]
  }

  async single(type: string, locale: string | null, isDraft: boolean): Promise<Json | undefined> {
    const parameters = [...(locale === null ? [] : [`locale=${locale}`]), ...(isDraft ? ['draft=true'] : [])]
    return (await this.#ask(`/api/content/${type}?${parameters.join('&')}`)).data as Json
  }

  /** The names of entries by id: UUIDs, of files their names, of users their usernames. */
  async names(type: string): Promise<ReadonlyMap<number, string>> {
    const known = this.#names.get(type)
    if (known !== undefined) return known
    const names = new Map<number, string>()
    for (let offset = 0; ; offset += 100) {
      const page = (await this.#ask(listOf(type, offset))).data as (Json & { readonly id: number })[]
      for (const entry of page)
        names.set(entry.id, String(entry.uuid ?? entry.originalName ?? entry.username))
      if (page.length < 100) break
    }
    this.#names.set(type, names)
    return names
  }
}

function listOf(type: string, offset: number): string {
  if (type === 'media') return `/api/media?limit=100&offset=${offset}`
  if (type === 'user') return `/api/admin/content-users?limit=100&offset=${offset}`
  return `/api/content/${type}?fields=uuid&limit=100&offset=${offset}&sort=id`
}

/** How many there are on both sides, by what they are. */
export async function compareCounts(
  { entries, users, files }: Truth,
  here: Here,
): Promise<Record<string, { readonly strapi: number; readonly mortise: number }>> {
  const counts: Record<string, { strapi: number; mortise: number }> = {}
  for (const type of new Set(entries.map((entry) => entry.type))) {
    const own = entries.filter((entry) => entry.type === type)
    const localisations = new Set(own.map(({ locale, entry }) => `${entry.documentId} ${locale}`))
    const locales = [...new Set(own.map(({ locale }) => locale))]
    const hasDrafts = own.some(({ status }) => status === 'draft')
    const mortise = await here.count(ourType(type), locales, hasDrafts)
    counts[ourType(type)] = { strapi: localisations.size, mortise }
  }
  counts.users = { strapi: users.length, mortise: (await here.names('user')).size }
  counts.files = { strapi: files.length, mortise: (await here.names('media')).size }
  return counts
}

/** The differences of some entries. */
export async function compareEntries(
  truth: Truth,
  entries: Truth['entries'],
  here: Here,
): Promise<Difference[]> {
  const differences: Difference[] = []
  for (const { type, status, locale, entry } of entries) {
    const attributes = truth.attributes[type] ?? {}
    const uuid = deterministicUuid('strapi', type, String(entry.documentId), locale)
    const isDraft = status === 'draft'
    const found = isSingle(ourType(type))
      ? await here.single(ourType(type), locale, isDraft)
      : await here.entry(ourType(type), uuid, isDraft)
    const name = `${type} ${entry.documentId} ${locale ?? ''} ${status}`
    if (found === undefined) differences.push({ entry: name, field: '', there: 'an entry', here: 'nothing' })
    else {
      const comparison = new Comparison(truth, here, (field, there, ours) => {
        differences.push({ entry: name, field, there, here: ours })
      })
      await comparison.compare(type, attributes, entry, found)
      comparison.compareTimes(entry, found, isDraft)
    }
  }
  return differences
}

class Comparison {
  readonly #truth: Truth
  readonly #here: Here
  readonly #report: (field: string, there: unknown, here: unknown) => void

  constructor(truth: Truth, here: Here, report: (field: string, there: unknown, here: unknown) => void) {
    this.#truth = truth
    this.#here = here
    this.#report = report
  }

  async compare(
    owner: string,
    attributes: Readonly<Record<string, Attribute>>,
    there: Json,
    here: Json,
    path = '',
  ) {
    for (const [name, attribute] of Object.entries(attributes)) {
      const key = `${owner}.${name}`
      if (leftOut.has(key) || attribute.mappedBy !== undefined) continue
      const ours = here[renamed[key] ?? name]
      await this.#compareValue(attribute, there[name] ?? null, ours ?? null, `${path}${name}`)
    }
  }

  compareTimes(there: Json, here: Json, isDraft: boolean): void {
    this.#check(
      'createdAt',
      there.createdAt,
      isDraft ? here.created_at : (here.created_at ?? there.createdAt),
    )
    if (here.published_at !== undefined && !isDraft)
      this.#check('publishedAt', there.publishedAt, here.published_at)
  }

  async #compareValue(attribute: Attribute, there: unknown, here: unknown, path: string): Promise<void> {
    const { type, target = '' } = attribute
    if (type === 'relation') return this.#compareReferences(ourType(target), there, here, path, target)
    if (type === 'media') return this.#compareReferences('media', there, here, path, 'plugin::upload.file')
    if (type === 'component' || type === 'dynamiczone')
      return this.#compareItems(attribute, there, here, path)
    this.#check(path, plain(there, type), plain(here, type))
  }

  async #compareReferences(
    type: string,
    there: unknown,
    here: unknown,
    path: string,
    uid: string,
  ): Promise<void> {
    const names = await this.#here.names(type)
    const expected = listIn(there).map((target) => nameOf(target as Json, uid))
    const ours = listIn(here).map((id) => names.get(Number(id)) ?? `unknown id ${id}`)
    this.#check(path, [...new Set(expected)], ours)
  }

  async #compareItems({ component }: Attribute, there: unknown, here: unknown, path: string): Promise<void> {
    const [expected, ours] = [listIn(there), listIn(here)] as [Json[], Json[]]
    this.#check(`${path}.length`, expected.length, ours.length)
    for (const [index, item] of expected.entries()) {
      const uid = component ?? String(item.__component)
      if (component === undefined) this.#check(`${path}.${index}.__component`, uid, ours[index]?.__component)
      const attributes = this.#truth.attributes[uid] ?? {}
      await this.compare(uid, attributes, item, ours[index] ?? {}, `${path}.${index}.`)
    }
  }

  #check(field: string, there: unknown, here: unknown): void {
    if (!isDeepStrictEqual(there, here)) this.#report(field, there, here)
  }
}

function listIn(value: unknown): unknown[] {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function nameOf({ documentId, locale, name, username }: Json, uid: string): string {
  if (uid === 'plugin::upload.file') return String(name)
  if (uid === 'plugin::users-permissions.user') return String(username)
  return deterministicUuid('strapi', uid, String(documentId), (locale as string | null | undefined) ?? null)
}

/** Numbers that a double does not hold exactly are texts on one side or on both. */
function plain(value: unknown, type: string): unknown {
  if (value === null) return null
  return type === 'biginteger' || type === 'decimal' || type === 'float' ? String(Number(value)) : value
}
