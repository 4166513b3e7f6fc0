import type { Auth, ContentAction } from '../../accounts/auth/auth.ts'
import type { Audit } from '../../background/audit/audit.ts'
import {
  annotate,
  type Content,
  type Entry,
  type StoredEntries,
  type WriteAnnotations,
} from '../../entries/content/content.ts'
import type { Database, Queries } from '../../foundation/database/database.ts'
import { AppError } from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import { isLocalized } from './columns.ts'
import { compareWithSource } from './compare-with-source.ts'
import type { GroupStore } from './group-store.ts'
import type {
  EntryLocalizations,
  LocalizationRequest,
  Localizations,
  TranslationMeta,
  TranslationStatus,
} from './i18n.ts'
import { joinedVersions } from './join-group.ts'
import { mayLocalize } from './localize-policy.ts'
import type { SourceChanges } from './source-changes.ts'
import type { Seen, Version } from './version.ts'

export interface LocalizationsDeps {
  readonly auth: Auth
  readonly content: Content
  readonly storedEntries: StoredEntries
  readonly database: Database
  readonly schemas: Schemas
  readonly store: GroupStore
  readonly changes: SourceChanges
  readonly defaultLocaleOf: Localizations['defaultLocaleOf']
  /** Undefined if there is no audit log. */
  readonly audit: Audit | undefined
}

export function createLocalizations(deps: LocalizationsDeps): Localizations {
  const { auth, schemas } = deps

  function assertMay(action: ContentAction, { principal, type }: LocalizationRequest): void {
    if (!auth.mayContent(principal, type, action)) auth.refuse(principal)
  }

  return {
    async create(request, data) {
      if (!mayLocalize(auth, schemas, request)) auth.refuse(request.principal)
      return create(deps, request, data)
    },
    joiningMany: (request, ids) => joiningMany(deps, request, ids),
    async list(request) {
      assertMay('read', request)
      return list(deps, request)
    },
    sourcesOf: (type, ids, on) => sourcesOf(deps, type, ids, on),
    defaultLocaleOf: deps.defaultLocaleOf,
    async setStatus(request, change) {
      assertMay('update', request)
      return setStatus(deps, request, change)
    },
    async diff(request) {
      assertMay('read', request)
      const type = await assertEntry(deps, request)
      const seen = await see(deps, request, type)
      return compareWithSource(deps, { ...seen, version: versionIn(seen.versions, type, request.id) })
    },
  }
}

async function create(
  deps: LocalizationsDeps,
  request: LocalizationRequest,
  data: Readonly<Record<string, unknown>>,
): Promise<Entry> {
  const { content, database } = deps
  const { id, principal, ip } = request
  const type = await assertEntry(deps, request)
  return database.transaction(async (tx) => {
    const joining = await joiningMany(deps, { type: type.name, principal, tx }, [id])
    const annotations = joining.get(id)
    if (annotations === undefined) throw AppError.notFound(`${type.name} ${id}`)
    return content.unguarded.create({ type: type.name, principal, ip, tx, annotations }, data)
  })
}

/** See `Localizations`. */
async function sourcesOf(
  { store }: LocalizationsDeps,
  type: ContentType,
  ids: readonly number[],
  on: Queries,
): Promise<ReadonlyMap<number, number>> {
  const firstOf = new Map<string, number>()
  const versions = await store.versions(type, ids, on)
  for (const { id, group } of versions) if (!firstOf.has(group)) firstOf.set(group, id)
  return new Map(versions.map(({ id, group }) => [id, firstOf.get(group) ?? id]))
}

/** See `Localizations`. */
async function joiningMany(
  { schemas, storedEntries, store }: LocalizationsDeps,
  { type: name, principal, tx }: Parameters<Localizations['joiningMany']>[0],
  ids: readonly number[],
): Promise<ReadonlyMap<number, WriteAnnotations>> {
  const type = schemas.types.get(name)
  if (type === undefined || !isLocalized(type)) throw AppError.notFound(`localizations of ${name}`)
  const bases = await storedEntries.lock({ type: name, principal, tx }, ids)
  const all = await store.versions(type, ids, tx)
  const groupOf = new Map(all.map(({ id, group }) => [id, group]))
  const versionsOf = new Map<string, Version[]>()
  for (const version of all)
    versionsOf.set(version.group, [...(versionsOf.get(version.group) ?? []), version])
  return new Map(
    bases.map((base) => {
      const versions = versionsOf.get(groupOf.get(base.id) ?? '') ?? []
      return [base.id, annotate(joinedVersions, { base, versions })]
    }),
  )
}

async function list(deps: LocalizationsDeps, request: LocalizationRequest): Promise<EntryLocalizations> {
  const seen = await see(deps, request, await assertEntry(deps, request))
  return {
    localizations: seen.versions.flatMap(({ id }) => seen.entries.get(id) ?? []),
    translationMeta: Object.fromEntries(
      seen.versions.map((version) => [version.locale, metaOf(deps, version, seen)]),
    ),
  }
}

async function setStatus(
  deps: LocalizationsDeps,
  request: LocalizationRequest,
  { status, notes }: Parameters<Localizations['setStatus']>[1],
): Promise<TranslationMeta & { readonly locale: string }> {
  const { database, store, changes, audit } = deps
  const { id, principal, ip } = request
  const type = await assertEntry(deps, request)
  await database.transaction(async (tx) => {
    await store.lock(type, [id], tx)
    const version = versionIn(await store.versions(type, [id], tx), type, id)
    const now = new Date().toISOString()
    const kept = notes === undefined ? version.notes : notes
    await store.describe(type, { ids: [id], status, notes: kept, now }, tx)
    if (status !== 'outdated') await changes.settle(type.name, [id], tx)
    const resource = `${type.name}:${id}`
    const record = { action: 'localization.status', principal, resource, details: { status }, ip }
    await audit?.record(record, tx)
  })
  const seen = await see(deps, request, type)
  const version = versionIn(seen.versions, type, id)
  return { locale: version.locale, ...metaOf(deps, version, seen) }
}

/** @throws AppError 404 */
async function assertEntry(
  { content, schemas }: LocalizationsDeps,
  { type, id, principal }: LocalizationRequest,
): Promise<ContentType> {
  const localized = schemas.types.get(type)
  if (localized === undefined || !isLocalized(localized)) throw AppError.notFound(`localizations of ${type}`)
  const found = await content.unguarded.find(type, id, 'fields=id', principal)
  if (found === undefined) throw AppError.notFound(`${type} ${id}`)
  return localized
}

/** @throws AppError 404 */
function versionIn(versions: readonly Version[], type: ContentType, id: number): Version {
  const version = versions.find((each) => each.id === id)
  if (version === undefined) throw AppError.notFound(`${type.name} ${id}`)
  return version
}

async function see(
  { content, store }: LocalizationsDeps,
  request: LocalizationRequest,
  type: ContentType,
): Promise<Seen> {
  const all = await store.versions(type, [request.id])
  const ids = all.map(({ id }) => id)
  const found = await content.unguarded.findMany(type.name, ids, request)
  const entries = new Map(found.map((entry) => [entry.id, entry]))
  const versions = all.filter(({ id }) => entries.has(id))
  // The version may have been deleted since it was found.
  if (!entries.has(request.id)) throw AppError.notFound(`${type.name} ${request.id}`)
  return { request, type, versions, entries, isWhole: versions[0]?.id === all[0]?.id }
}

function metaOf(
  { auth }: LocalizationsDeps,
  version: Version,
  { request, type, versions, isWhole }: Seen,
): TranslationMeta {
  const [source] = versions
  return {
    id: version.id,
    status: statusOf(version, {
      isOutdatedKnown: isWhole && source?.id !== version.id,
      hasDrafts: type.options.draftAndPublish,
    }),
    sourceLocale: source?.locale ?? version.locale,
    notes: auth.seesDrafts(request.principal, type.name) ? version.notes : null,
    updated_at: version.statusAt ?? version.createdAt,
  }
}

interface StatusContext {
  /** Whether the caller sees a source that the version can be outdated against. */
  readonly isOutdatedKnown: boolean
  readonly hasDrafts: boolean
}

/** The status to show: a source has none until one is set, and is never outdated against itself. */
function statusOf(version: Version, { isOutdatedKnown, hasDrafts }: StatusContext): TranslationStatus {
  const { status, publishedAt } = version
  const isPublished = !hasDrafts || (publishedAt != null && publishedAt <= new Date().toISOString())
  const derived = isPublished ? 'published' : 'draft'
  if (status === null || (status === 'outdated' && !isOutdatedKnown)) return derived
  const isScheduled = hasDrafts && publishedAt != null && !isPublished
  return status === 'published' && isScheduled ? 'draft' : status
}
