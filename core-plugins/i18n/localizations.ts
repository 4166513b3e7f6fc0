import { isDeepStrictEqual } from 'node:util'
import type { Audit } from '../audit/audit.ts'
import type { Auth } from '../auth/auth.ts'
import type { Content, Entry } from '../content/content.ts'
import type { Database } from '../database/database.ts'
import { AppError } from '../http/http.ts'
import type { ContentType, Schemas } from '../schemas/schemas.ts'
import { isLocalized } from './columns.ts'
import type { GroupStore, Version } from './group-store.ts'
import type { LocalizationRequest, Localizations, TranslationMeta, TranslationStatus } from './i18n.ts'
import type { Joinings } from './join-group.ts'
import { localizedNames } from './shared-attributes.ts'

export interface LocalizationsScope {
  readonly auth: Auth
  readonly content: Content
  readonly database: Database
  readonly schemas: Schemas
  readonly store: GroupStore
  readonly joinings: Joinings
  /** Undefined where there is no audit log. */
  readonly audit: Audit | undefined
}

/** The versions of an entry that a caller may see. */
interface Seen {
  /** The first one is the source, as far as the caller knows. */
  readonly versions: readonly Version[]
  readonly entries: ReadonlyMap<number, Entry>
  /** Whether the caller sees that the source really is one. */
  readonly isWhole: boolean
}

export function createLocalizations(scope: LocalizationsScope): Localizations {
  const { auth, content, database, schemas, store } = scope

  function localizedType(name: string): ContentType {
    const type = schemas.types.get(name)
    if (type === undefined || !isLocalized(type)) throw AppError.notFound(`localizations of ${name}`)
    return type
  }

  async function requireEntry({ type, id, principal }: LocalizationRequest): Promise<ContentType> {
    const localized = localizedType(type)
    const found = await content.find(type, id, 'fields=id', principal)
    if (found === undefined) throw AppError.notFound(`${type} ${id}`)
    return localized
  }

  async function see(request: LocalizationRequest, type: ContentType): Promise<Seen> {
    const all = await store.versions(type, [request.id])
    const ids = all.map(({ id }) => id)
    const found = await content.findMany(type.name, ids, request)
    const entries = new Map(found.map((entry) => [entry.id, entry]))
    const versions = all.filter(({ id }) => entries.has(id))
    // It may have gone since it was found.
    if (!entries.has(request.id)) throw AppError.notFound(`${type.name} ${request.id}`)
    return { versions, entries, isWhole: versions[0]?.id === all[0]?.id }
  }

  function metaOf(
    version: Version,
    { versions, isWhole }: Seen,
    { principal, type }: LocalizationRequest,
  ): TranslationMeta {
    const [source] = versions
    const isKnown = isWhole && source?.id !== version.id
    return {
      id: version.id,
      status: statusOf(version, {
        isOutdatedKnown: isKnown,
        hasDrafts: localizedType(type).options.draftAndPublish,
      }),
      sourceLocale: source?.locale ?? version.locale,
      notes: auth.seesDrafts(principal, type) ? version.notes : null,
      updated_at: version.statusAt ?? version.createdAt,
    }
  }

  return {
    async create(request, data) {
      const { id, principal, ip } = request
      const type = await requireEntry(request)
      return database.transaction(async (tx) => {
        const write = { type: type.name, principal, ip, tx }
        const [base] = await content.lock(write, [id])
        if (base === undefined) throw AppError.notFound(`${type.name} ${id}`)
        const payload = { ...data }
        scope.joinings.set(payload, { base, versions: await store.versions(type, [id], tx) })
        return content.create(write, payload)
      })
    },
    async list(request) {
      const seen = await see(request, await requireEntry(request))
      return {
        localizations: seen.versions.flatMap(({ id }) => seen.entries.get(id) ?? []),
        translationMeta: Object.fromEntries(
          seen.versions.map((version) => [version.locale, metaOf(version, seen, request)]),
        ),
      }
    },
    async setStatus(request, { status, notes }) {
      const { id, principal, ip } = request
      const type = await requireEntry(request)
      await database.transaction(async (tx) => {
        await store.lock(type, [id], tx)
        const version = (await store.versions(type, [id], tx)).find((each) => each.id === id)
        if (version === undefined) throw AppError.notFound(`${type.name} ${id}`)
        const now = new Date().toISOString()
        const kept = notes === undefined ? version.notes : notes
        await store.describe(type, { id, status, notes: kept, now }, tx)
        const resource = `${type.name}:${id}`
        const record = { action: 'localization.status', principal, resource, details: { status }, ip }
        await scope.audit?.record(record, tx)
      })
      const seen = await see(request, type)
      const version = seen.versions.find((each) => each.id === id)
      if (version === undefined) throw AppError.notFound(`${type.name} ${id}`)
      return { locale: version.locale, ...metaOf(version, seen, request) }
    },
    async diff(request) {
      const type = await requireEntry(request)
      const { versions, entries } = await see(request, type)
      const version = versions.find(({ id }) => id === request.id)
      const source = versions[0]
      if (version === undefined || source === undefined) throw AppError.notFound(`${type.name} ${request.id}`)
      return {
        sourceLocale: source.locale,
        locale: version.locale,
        fields: compare(type, entries.get(source.id) ?? {}, entries.get(version.id) ?? {}),
      }
    },
  }
}

type Values = Readonly<Record<string, unknown>>

function compare(type: ContentType, source: Values, translation: Values) {
  return localizedNames(type).map((field) => {
    const [left, right] = [source[field] ?? null, translation[field] ?? null]
    return { field, source: left, translation: right, same: isDeepStrictEqual(left, right) }
  })
}

interface StatusScope {
  /** Whether the caller knows of a source that the version can be behind of. */
  readonly isOutdatedKnown: boolean
  readonly hasDrafts: boolean
}

/** As it is to be shown: sources have no status until somebody sets one, and a source is never behind itself. */
function statusOf(version: Version, { isOutdatedKnown, hasDrafts }: StatusScope): TranslationStatus {
  const { status, publishedAt } = version
  const isPublished = !hasDrafts || (publishedAt != null && publishedAt <= new Date().toISOString())
  const derived = isPublished ? 'published' : 'draft'
  if (status === null || (status === 'outdated' && !isOutdatedKnown)) return derived
  const isScheduled = hasDrafts && publishedAt != null && !isPublished
  return status === 'published' && isScheduled ? 'draft' : status
}
