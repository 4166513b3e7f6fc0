import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../../../kernel/index.ts'
import { deterministicUuid } from '../deterministic-uuid.ts'
import type { Finding, SourceEntry } from '../source.ts'
import type { ConvertedField, ConvertedFields, ConvertedSchemas, ConvertedType } from './converted.ts'
import type { ExportIndex, IndexedRow } from './export-index.ts'

type Values = Record<string, unknown>

/** Converts the rows of an export into entries. */
export class EntryReader {
  readonly #index: ExportIndex
  readonly #schemas: ConvertedSchemas
  readonly #defaultLocale: string
  /** Whether the export has the bytes of a file. */
  readonly #hasFile: (file: IndexedRow) => boolean
  /** The number of localisations that lose a value, because the attribute is shared here, by type and attribute. */
  readonly #lost = new Map<string, Map<string, number>>()

  constructor(parts: {
    readonly index: ExportIndex
    readonly schemas: ConvertedSchemas
    readonly defaultLocale: string
    readonly hasFile: (file: IndexedRow) => boolean
  }) {
    this.#index = parts.index
    this.#schemas = parts.schemas
    this.#defaultLocale = parts.defaultLocale
    this.#hasFile = parts.hasFile
  }

  *entries(type: ConvertedType): Generator<SourceEntry> {
    const shared = new Map([...type.fields].filter(([, { isShared }]) => isShared))
    const lost = new Map<string, number>()
    this.#lost.set(type.name, lost)
    for (const rows of this.#index.entriesOf(type.uid)) {
      let first: { readonly uuid: string; readonly shared: Values } | undefined
      for (const versions of localisationsIn(rows, this.#defaultLocale)) {
        const entry = this.#entryOf(type, versions, first?.uuid)
        const values = this.#convert(shared, ownerOf(shownRow(versions)))
        first ??= { uuid: entry.uuid, shared: values }
        for (const name of Object.keys(differing(first.shared, values) ?? {}))
          lost.set(name, (lost.get(name) ?? 0) + 1)
        yield entry
      }
    }
  }

  /** Findings about the entries that have been read so far. */
  findings(): Finding[] {
    return [...this.#lost].flatMap(([type, attributes]) =>
      [...attributes].map(([name, count]) => ({
        subject: `${type}.${name}`,
        message: `is the same in all locales, and ${count} localisations had another value than that of ${this.#defaultLocale}, which is taken`,
      })),
    )
  }

  /** Makes an entry from the draft and the published row of a localisation, of which one may be missing. */
  #entryOf(type: ConvertedType, { draft, published }: Localisation, first: string | undefined): SourceEntry {
    const row = shownRow({ draft, published })
    const values = this.#valuesOf(type, row, first !== undefined)
    const changed =
      published === undefined || draft === undefined
        ? undefined
        : this.#valuesOf(type, draft, first !== undefined)
    return {
      uuid: uuidOf(row),
      locale: type.hasLocales ? (row.locale ?? this.#defaultLocale) : undefined,
      localizationOf: type.hasLocales ? first : undefined,
      values,
      draft: changed === undefined ? undefined : differing(values, changed),
      publishedAt: type.hasDrafts ? (momentIn(published?.data.publishedAt) ?? null) : undefined,
      createdAt: momentIn((draft ?? row).data.createdAt),
      updatedAt: momentIn(row.data.updatedAt),
    }
  }

  /** Shared attributes take the value of the first localisation, so further ones omit them. */
  #valuesOf(type: ConvertedType, row: IndexedRow, isFurther: boolean): Values {
    const fields = isFurther ? new Map([...type.fields].filter(([, { isShared }]) => !isShared)) : type.fields
    return this.#convert(fields, ownerOf(row))
  }

  #convert(fields: ConvertedFields, owner: { uid: string; id: number; data: Values }): Values {
    const values: Values = {}
    for (const [name, field] of fields) values[field.name] = this.#valueOf(name, field, owner)
    return values
  }

  #valueOf(
    name: string,
    field: ConvertedField,
    { uid, id, data }: { uid: string; id: number; data: Values },
  ): unknown {
    if (field.kind === 'value') return valueIn(data[name], field.type)
    if (field.kind === 'components') return this.#itemsOf(data[name], field)
    const targets = this.#targetsOf(uid, id, name)
    return field.isMany ? targets : (targets[0] ?? null)
  }

  /** The UUIDs of the targets, each once: draft and published row of a target are one entry here. */
  #targetsOf(uid: string, id: number, name: string): { uuid: string }[] {
    const uuids = this.#index.linksOf(uid, id, name).flatMap((target) => {
      const row = this.#index.rowAt(target.type, target.id)
      if (row === undefined) return []
      return target.type !== fileUid || this.#hasFile(row) ? [uuidOf(row)] : []
    })
    return [...new Set(uuids)].map((uuid) => ({ uuid }))
  }

  #itemsOf(value: unknown, field: ConvertedField & { kind: 'components' }): unknown {
    if (!field.isMany) return isObject(value) ? (this.#itemOf(value, field) ?? null) : null
    return Array.isArray(value)
      ? value.flatMap((item) => (isObject(item) ? (this.#itemOf(item, field) ?? []) : []))
      : []
  }

  /** Undefined if the item's component no longer exists. */
  #itemOf(item: Values, { component, isZone }: ConvertedField & { kind: 'components' }): Values | undefined {
    const uid = component ?? String(item.__component)
    const converted = this.#schemas.components.get(uid)
    if (converted === undefined) return undefined
    const values = this.#convert(converted.fields, { uid, id: Number(item.id), data: item })
    return isZone ? { __component: converted.name, ...values } : values
  }
}

export const fileUid = 'plugin::upload.file'

/** Leaves out the locale of files and users, which have only one row. */
export function uuidOf({ type, document, locale }: IndexedRow): string {
  return deterministicUuid('strapi', type, document, type.startsWith('api::') ? locale : null)
}

interface Localisation {
  readonly draft: IndexedRow | undefined
  readonly published: IndexedRow | undefined
}

const shownRow = ({ draft, published }: Localisation) => (published ?? draft) as IndexedRow

const ownerOf = ({ type, id, data }: IndexedRow) => ({ uid: type, id, data })

/** Groups the rows of an entry by locale, the default locale first. */
function localisationsIn(rows: readonly IndexedRow[], defaultLocale: string): Localisation[] {
  const groups = [...groupByLocale(rows)].sort(
    ([left], [right]) => rankOf(left, defaultLocale) - rankOf(right, defaultLocale),
  )
  return groups.map(([, versions]) => ({
    draft: versions.find(({ data }) => !isPublished(data)),
    published: versions.find(({ data }) => isPublished(data)),
  }))
}

function groupByLocale(rows: readonly IndexedRow[]): Map<string | null, IndexedRow[]> {
  const groups = new Map<string | null, IndexedRow[]>()
  for (const row of rows) groups.set(row.locale, [...(groups.get(row.locale) ?? []), row])
  return groups
}

const rankOf = (locale: string | null, defaultLocale: string) => (locale === defaultLocale ? 0 : 1)

const isPublished = ({ publishedAt }: Readonly<Values>) => publishedAt !== null && publishedAt !== undefined

/** The values that the draft changes; undefined if it equals the published version. */
function differing(published: Values, draft: Values): Values | undefined {
  const changed = Object.entries(draft).filter(([name, value]) => !isDeepStrictEqual(value, published[name]))
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}

function valueIn(value: unknown, type: string): unknown {
  if (value === undefined || value === null) return null
  if (type === 'datetime' || type === 'timestamp') return momentIn(value) ?? value
  if (type === 'boolean' && typeof value === 'number') return value !== 0
  if (type === 'date' && typeof value === 'string') return value.slice(0, 10)
  if (type === 'time' || type === 'biginteger') return String(value)
  return value
}

/** Some databases of Strapi 4 export times as numbers. */
function momentIn(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const moment = new Date(value)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}
