import { Type } from 'typebox'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Audit } from '../../background/audit/audit.ts'
import { strict } from '../../foundation/http/http.ts'
import type { CompanionWrite, EntryCompanion, Value } from '../../foundation/sections/sections.ts'
import { isLocalized } from './columns.ts'
import type { GroupStore } from './group-store.ts'
import { type TranslationStatus, translationStatuses } from './i18n.ts'
import type { SourceChanges } from './source-changes.ts'
import type { Version } from './version.ts'

const valueSchema = Type.Object(
  {
    status: Type.Optional(Type.Union(translationStatuses.map((status) => Type.Literal(status)))),
    notes: Type.Optional(Type.String({ minLength: 1, maxLength: 10_000 })),
  },
  strict,
)

interface TranslationValue {
  readonly status?: TranslationStatus
  readonly notes?: string
}

export interface TranslationCompanionDeps {
  readonly auth: Auth
  readonly store: GroupStore
  readonly changes: SourceChanges
  /** Undefined if there is no audit log. */
  readonly audit: Audit | undefined
}

/**
 * The status of translations in transfers, with the notes of translators. Left out for versions without notes whose status merely
 * follows from their publication.
 */
export function translationCompanion({
  auth,
  store,
  changes,
  audit,
}: TranslationCompanionDeps): EntryCompanion {
  return {
    name: 'translation',
    matches: isLocalized,
    valueSchema,
    async read(type, ids, tx) {
      const versions = await store.versions(type, ids, tx)
      const wanted = new Set(ids)
      const sources = sourcesAmong(versions)
      const values = versions.flatMap((version) => {
        const value = toldOf(version, sources.has(version.id))
        return wanted.has(version.id) && value !== undefined ? [[version.id, value] as const] : []
      })
      return new Map(values)
    },
    *missingRights(principal, type) {
      if (!auth.mayContent(principal, type.name, 'update')) yield 'the right to update'
    },
    async write(type, writes, { tx, principal, ip }) {
      const ids = writes.map(({ id }) => id)
      await store.lock(type, ids, tx)
      const versions = new Map((await store.versions(type, ids, tx)).map((version) => [version.id, version]))
      const described = writes.flatMap(({ id, value }) => {
        const version = versions.get(id)
        return version === undefined ? [] : [{ id, ...descriptionOf(value, version) }]
      })
      const now = new Date().toISOString()
      for (const alike of groupsOf(described)) await store.describe(type, { ...alike, now }, tx)
      const settled = described.filter(({ status }) => status !== 'outdated').map(({ id }) => id)
      await changes.settle(type.name, settled, tx)
      const records = described.map(({ id, status }) => ({
        ...{ action: 'localization.status', principal, ip },
        ...{ resource: `${type.name}:${id}`, details: { status } },
      }))
      await audit?.recordMany(records, tx)
    },
  }
}

interface Described {
  readonly id: number
  readonly status: TranslationStatus
  readonly notes: string | null
}

/** Versions with the same status and notes are written together. */
function groupsOf(described: readonly Described[]) {
  const groups = new Map<string, Omit<Described, 'id'> & { readonly ids: number[] }>()
  for (const { id, status, notes } of described) {
    const key = JSON.stringify([status, notes])
    const group = groups.get(key) ?? { ids: [], status, notes }
    groups.set(key, group)
    group.ids.push(id)
  }
  return groups.values()
}

/** The ids of the first version of each entry, from which the others are translated. */
function sourcesAmong(versions: readonly Version[]): ReadonlySet<number> {
  const firsts = new Map<string, number>()
  for (const { id, group } of versions) if (!firsts.has(group)) firsts.set(group, id)
  return new Set(firsts.values())
}

function toldOf(version: Version, isSource: boolean): Value | undefined {
  const { notes } = version
  // A source is never outdated; it may have been marked so before it became the source.
  const status = isSource && version.status === 'outdated' ? null : version.status
  const isTold = status !== null && status !== following(version)
  if (!isTold && (notes === null || notes === '')) return undefined
  return { ...(isTold ? { status } : {}), ...(notes === null || notes === '' ? {} : { notes }) }
}

/** The status that follows from the publication, whether or not its time has come. */
function following({ publishedAt }: Version): TranslationStatus {
  return publishedAt === null ? 'draft' : 'published'
}

function descriptionOf(value: CompanionWrite['value'], version: Version) {
  const { status = following(version), notes = null } = (value ?? {}) as TranslationValue
  return { status, notes }
}
