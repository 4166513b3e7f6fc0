import type { EntryToSave } from '../../../entries/content/content.ts'
import type { ErrorDetail, Principal } from '../../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../../foundation/schemas/schemas.ts'
import type { RowLocales } from '../row-locales.ts'
import type { AskedKey, KeyLookup } from './key-lookup.ts'
import type { KeyFinder, KeyPlace } from './key-places.ts'
import type { MediaPlace, MediaSources } from './media-sources.ts'
import { keyAttributes, keyText, keyValue, type NaturalKey, readKey, shownKey } from './natural-key.ts'
import { localizationOf, type ReadRecord, type RecordRules, readRecord } from './read-record.ts'

type Values = Readonly<Record<string, unknown>>

/** A record with its position. */
export interface SourceRow {
  readonly line: number
  readonly type: string
  readonly data: unknown
  readonly problem?: string | undefined
  /** For a record that has waited: the ids of its stored row and of the entry stored for it. */
  readonly waitingId?: number | undefined
  readonly entryId?: number | undefined
  /** Saved without the attributes that complete its circle of references. */
  readonly isPartial?: boolean
  /** In a trial: attributes that are left out, and therefore not reported as missing. */
  readonly waived?: readonly string[]
  /** In a trial: the record has been checked as far as possible. */
  readonly isTried?: boolean
}

/** A key for which no visible entry exists yet. */
export interface MissingKey {
  readonly text: string
  readonly path: string
  /** The name of the attribute that contains it. */
  readonly field: string
  readonly message: string
}

/** A prepared record. It can be saved if it has no problems and no missing keys. */
export interface Row extends SourceRow {
  readonly entry: EntryToSave
  /** The id of the entry that it is a version of. */
  readonly versionOf: number | undefined
  readonly missing: readonly MissingKey[]
  readonly details: readonly ErrorDetail[]
  /** Attributes with files that a trial does not download. */
  readonly promised: readonly string[]
  /** The keys by which other records can refer to it. */
  readonly keys: readonly string[]
}

export interface RowRequest extends Omit<RecordRules, 'type'> {
  readonly type: ContentType
  readonly principal: Principal
  readonly isTrial: boolean
  readonly mediaFolder: string | undefined
  readonly signal: AbortSignal | undefined
}

export interface PrepareDeps {
  readonly schemas: Schemas
  readonly keys: KeyFinder
  readonly lookup: KeyLookup
  readonly locales: RowLocales
  readonly media: MediaSources
}

interface Opened {
  readonly source: SourceRow
  readonly read: ReadRecord
  readonly data: Record<string, unknown>
  readonly places: readonly KeyPlace[]
  readonly details: ErrorDetail[]
  readonly missing: MissingKey[]
  readonly promised: string[]
  versionOf: number | undefined
}

interface PlacedKey extends AskedKey {
  readonly place: KeyPlace
  readonly row: Opened
}

/** Replaces keys by ids, for records of one type. */
export async function prepareRows(
  deps: PrepareDeps,
  sources: readonly SourceRow[],
  request: RowRequest,
): Promise<Row[]> {
  const opened = sources.map((source) => open(deps, source, request))
  const files: (MediaPlace & { readonly row: Opened })[] = []
  const asked: PlacedKey[] = []
  for (const row of opened) {
    for (const place of row.places) {
      const file = deps.media.read(place)
      if (file !== undefined) files.push({ ...file, row })
      else asked.push(...askedKey(deps, row, place))
    }
  }
  await putIds(deps, asked, request.principal)
  if (files.length > 0) await deps.media.put(files, request)
  return opened.map((row) => finished(deps, row, request))
}

function open({ keys }: PrepareDeps, source: SourceRow, rules: RowRequest): Opened {
  const { data, problem } = source
  const details: ErrorDetail[] = []
  const isRecord = typeof data === 'object' && data !== null && !Array.isArray(data)
  if (problem !== undefined) details.push({ path: '', code: 'format', message: problem })
  else if (!isRecord) details.push({ path: '', code: 'type', message: 'must be a JSON object' })
  const read = readRecord(isRecord ? (data as Values) : {}, rules)
  const found = keys.open(rules.type, read.data)
  const row: Opened = {
    source,
    read,
    data: found.data,
    places: [],
    details,
    missing: [],
    promised: [],
    versionOf: undefined,
  }
  details.push(...read.problems, ...found.problems)
  const version = versionPlace(row, rules.type)
  return Object.assign(row, { places: version === undefined ? found.places : [...found.places, version] })
}

function versionPlace(row: Opened, type: ContentType): KeyPlace | undefined {
  const { version } = row.read
  if (version === undefined || !type.options.i18n.enabled) return undefined
  if (typeof version !== 'object' || version === null) {
    row.details.push({
      path: localizationOf,
      code: 'key',
      message: 'must name another version by a unique attribute',
    })
    return undefined
  }
  const put = (id: number) => {
    row.versionOf = id
  }
  return { key: version as Values, target: type.name, path: localizationOf, field: localizationOf, put }
}

function askedKey({ schemas }: PrepareDeps, row: Opened, place: KeyPlace): PlacedKey[] {
  const target = schemas.allTypes.get(place.target)
  if (target === undefined) return []
  const read = readKey(target, place.key)
  if ('problem' in read) {
    row.details.push({ path: place.path, ...read.problem })
    return []
  }
  const { locale } = row.data
  // A translation usually has the same key as its source, so its own locale is not preferred there.
  const preferred = typeof locale === 'string' && place.path !== localizationOf ? locale : undefined
  return [{ key: read.key, preferred, place, row }]
}

async function putIds(
  { lookup }: PrepareDeps,
  asked: readonly PlacedKey[],
  principal: Principal,
): Promise<void> {
  if (asked.length === 0) return
  const foundOf = await lookup.find(asked, principal)
  for (const each of asked) {
    const { key, place, row } = each
    const [found, { path, field }] = [foundOf(each), place]
    if (found === 'ambiguous') {
      const message = `there are several of ${key.type} with ${shownKey(key)}: name the locale, or the id`
      row.details.push({ path, code: 'ambiguous', message })
    } else if (found === undefined) {
      const message = `there is no ${key.type} with ${shownKey(key)}`
      row.missing.push({ text: comparable(key), path, field, message })
    } else place.put(found)
  }
}

/** Compares keys without their locale, since the version is chosen once the entry exists. */
const comparable = (key: NaturalKey) => keyText({ ...key, locale: undefined })

function finished({ locales }: PrepareDeps, row: Opened, { type }: RowRequest): Row {
  const { source, read, data, details, missing, promised, versionOf } = row
  const entry = { data: locales.complete(type.name, data), id: source.entryId, ...read.state }
  return { ...source, entry, versionOf, missing, details, promised, keys: keysOf(type, data, read.state) }
}

function keysOf(type: ContentType, data: Values, state: ReadRecord['state']): string[] {
  return keyAttributes(type).flatMap((name) => {
    const value = keyValue(type, name, name === 'uuid' ? state.uuid : data[name])
    return value === undefined
      ? []
      : [comparable({ type: type.name, attribute: name, value, locale: undefined })]
  })
}

/** The row without the attributes whose keys are missing; undefined if they are required. */
export function withoutMissing(row: Row): Row | undefined {
  const fields = row.missing.map(({ field }) => field)
  return fields.includes(localizationOf) ? undefined : { ...withoutFields(row, fields), missing: [] }
}

export function withoutFields(row: Row, fields: readonly string[]): Row {
  const rest = Object.entries(row.entry.data as Values).filter(([name]) => !fields.includes(name))
  return { ...row, entry: { ...row.entry, data: Object.fromEntries(rest) } }
}
