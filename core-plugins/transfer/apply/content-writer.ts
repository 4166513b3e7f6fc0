import { setImmediate as otherWork } from 'node:timers/promises'
import {
  type BulkWrites,
  type Content,
  type EntryToSave,
  type Guarded,
  RowsRefused,
  type Trash,
} from '../../content/content.ts'
import { AppError, type ErrorDetail } from '../../http/http.ts'
import type { Localizations } from '../../i18n/i18n.ts'
import type { ContentType } from '../../schemas/schemas.ts'
import type { LinePlace, PackageFile, PlacedChange } from '../package/package-file.ts'
import type { EntryValue } from '../sections/content-section.ts'
import { sectionOfType, typeOfSection } from '../sections/section-names.ts'
import { type ItemName, nameOf } from '../transfer-item.ts'
import type { ApplyContext } from './apply-context.ts'
import { findReferenced, type ResolveDeps, resolveValues } from './resolve-references.ts'

export interface ContentWriterDeps extends ResolveDeps {
  readonly content: Content
  readonly bulkWrites: Guarded<BulkWrites>
  readonly trash: Guarded<Trash>
  /** Undefined if nothing has locales. */
  readonly localizations: Localizations | undefined
}

/** What a package asks of the content. */
export interface ContentChanges {
  readonly file: PackageFile
  /** Removes references to what is missing, instead of refusing the package. */
  readonly dropsMissing: boolean
  /** How many entries are stored together: one where it has to be found out which of them the database refuses. */
  readonly atOnce: number
}

/** An entry to write, with the ids of this environment. */
interface ReadyEntry {
  readonly place: LinePlace
  readonly item: ItemName
  readonly value: EntryValue
  readonly data: Readonly<Record<string, unknown>>
  readonly missing: readonly ItemName[]
  /** Its id, if it is here. */
  readonly id: number | undefined
  /** The id of the version that it joins. */
  readonly source: number | undefined
}

/** Circles of entries that must have each other cannot be made in another way either. */
const maxRounds = 100
const maxProblems = 100

/**
 * Writes entries with the references between them: first without what does not exist yet, and then again with it. An
 * entry that must not lack something waits until that is there.
 */
export class ContentWriter {
  readonly #deps: ContentWriterDeps
  readonly #context: ApplyContext
  readonly #changes: ContentChanges

  constructor(deps: ContentWriterDeps, changes: ContentChanges, context: ApplyContext) {
    this.#deps = deps
    this.#changes = changes
    this.#context = context
  }

  /** Writes the entries of some lines. @throws AppError with the problems of the first entries that have some */
  async put(places: readonly LinePlace[]): Promise<void> {
    let waiting = places
    const incomplete: LinePlace[] = []
    const drafts: LinePlace[] = []
    let isStuck = false
    for (let round = 1; waiting.length > 0; round++) {
      // What still waits then is written without what it waits for, and the write says what it lacks.
      const isLast = isStuck || round === maxRounds
      const left = await this.#round(waiting, { incomplete, drafts, isLast })
      isStuck = left.length === waiting.length
      waiting = left
    }
    await this.#complete(incomplete)
    await this.#putDrafts(drafts)
  }

  /** Deletes the entries of some lines, one after the other. */
  async remove(places: readonly LinePlace[]): Promise<void> {
    const { bulkWrites, keys } = this.#deps
    for await (const { type, changes } of this.#portions(places)) {
      const wanted = changes.map(({ change: { key } }) => key)
      const ids = await keys.idsOf(type, wanted, this.#context.tx)
      await bulkWrites.unguarded.deleteMany({ type: type.name, ...this.#context }, [...ids.values()])
    }
  }

  /** Returns the places of entries that wait for others. */
  async #round(
    places: readonly LinePlace[],
    { incomplete, drafts, isLast }: { incomplete: LinePlace[]; drafts: LinePlace[]; isLast: boolean },
  ): Promise<LinePlace[]> {
    const waiting: LinePlace[] = []
    for await (const { type, changes } of this.#portions(places)) {
      const ready = await this.#ready(type, changes)
      const now = ready.filter((entry) => isLast || !mustWait(type, entry))
      for (const entry of ready) if (!now.includes(entry)) waiting.push(entry.place)
      await this.#save(type, now)
      for (const { place, missing, value } of now) {
        if (missing.length > 0) incomplete.push(place)
        if (value.draft !== undefined) drafts.push(place)
      }
    }
    return waiting
  }

  /** Writes entries again of which something was missing before. */
  async #complete(places: readonly LinePlace[]): Promise<void> {
    const problems: ErrorDetail[] = []
    for await (const { type, changes } of this.#portions(places)) {
      const ready = await this.#ready(type, changes)
      if (!this.#changes.dropsMissing) problems.push(...ready.flatMap(missingProblems))
      if (problems.length === 0) await this.#save(type, ready)
      if (problems.length > maxProblems) break
    }
    if (problems.length > 0) throw conflictOf(problems)
  }

  async #putDrafts(places: readonly LinePlace[]): Promise<void> {
    const { bulkWrites, content, keys } = this.#deps
    for await (const { type, changes } of this.#portions(places)) {
      const known = await this.#known(type, changes)
      const request = { type: type.name, ...this.#context }
      const items = changes.map(({ change }) => change)
      const entries = changes.map(({ change: { key, value } }) => {
        const { draft = {} } = value as EntryValue
        return { uuid: key, data: resolveValues(this.#deps, type, draft, known).values }
      })
      if (type.kind !== 'singleType') {
        await this.#named(type, items, () =>
          bulkWrites.unguarded.saveMany(request, entries, { match: 'uuid' }),
        )
        continue
      }
      for (const [key, id] of await keys.idsOf(
        type,
        items.map(({ key }) => key),
        this.#context.tx,
      )) {
        const data = entries.find(({ uuid }) => uuid === key)?.data
        await this.#named(type, items, () => content.unguarded.update({ ...request, id }, data))
      }
    }
  }

  /** Changes of one type at a time. */
  async *#portions(places: readonly LinePlace[]) {
    let changes: PlacedChange[] = []
    let type: ContentType | undefined
    for await (const placed of this.#changes.file.at(places)) {
      const next = this.#typeOf(placed.change.section)
      if (type !== undefined && (next !== type || changes.length === this.#changes.atOnce)) {
        yield { type, changes }
        await otherWork()
        changes = []
      }
      type = next
      changes.push(placed)
    }
    if (type !== undefined && changes.length > 0) yield { type, changes }
  }

  #typeOf(section: string): ContentType {
    const type = this.#deps.schemas.types.get(typeOfSection(section) ?? '')
    if (type === undefined)
      throw AppError.invalid([{ path: section, code: 'unknown', message: 'is not here' }])
    return type
  }

  #known(type: ContentType, changes: readonly PlacedChange[]) {
    const values = changes.flatMap(({ change: { value } }) => {
      const { data, draft = {} } = value as EntryValue
      return [data, draft]
    })
    return findReferenced(this.#deps, type, values, this.#context.tx)
  }

  async #ready(type: ContentType, changes: readonly PlacedChange[]): Promise<ReadyEntry[]> {
    const { keys } = this.#deps
    const known = await this.#known(type, changes)
    const sources = changes.flatMap(({ change: { value } }) => (value as EntryValue).source ?? [])
    const here = await keys.idsOf(
      type,
      [...changes.map(({ change: { key } }) => key), ...sources],
      this.#context.tx,
    )
    return changes.map(({ change: { section, key, value: given }, ...place }) => {
      const value = given as EntryValue
      const { values: data, missing } = resolveValues(this.#deps, type, value.data, known)
      const source = value.source === undefined ? undefined : here.get(value.source)
      return { place, item: { section, key }, value, data, missing, id: here.get(key), source }
    })
  }

  async #save(type: ContentType, entries: readonly ReadyEntry[]): Promise<void> {
    if (type.kind === 'singleType') {
      for (const entry of entries) await this.#named(type, [entry.item], () => this.#saveSingle(type, entry))
      return
    }
    await this.#fromTrash(type, entries)
    const joining = entries.filter(({ id, value }) => id === undefined && value.source !== undefined)
    const others = entries.filter((entry) => !joining.includes(entry))
    const request = { type: type.name, ...this.#context }
    const save = (some: readonly ReadyEntry[], annotations = {}) =>
      this.#named(
        type,
        some.map(({ item }) => item),
        () =>
          this.#deps.bulkWrites.unguarded.saveMany(
            { ...request, ...annotations },
            some.map((entry) => toSave(type, entry)),
            { match: 'uuid' },
          ),
      )
    if (others.length > 0) await save(others)
    for (const entry of joining) {
      if (entry.source === undefined) throw conflictOf(sourceProblems(entry))
      const annotations = await this.#deps.localizations?.joining(type, entry.source, this.#context)
      await save([entry], annotations === undefined ? {} : { annotations })
    }
  }

  /** An entry that was moved to the trash here comes back, as it still has its UUID. */
  async #fromTrash(type: ContentType, entries: readonly ReadyEntry[]): Promise<void> {
    if (!type.options.softDelete) return
    const absent = entries.filter(({ id }) => id === undefined).map(({ item: { key } }) => key)
    for (const id of await this.#deps.keys.trashed(type, absent, this.#context.tx)) {
      await this.#deps.trash.restore({ type: type.name, id, ...this.#context })
    }
  }

  async #saveSingle(type: ContentType, { id, data, value }: ReadyEntry): Promise<void> {
    const writes = this.#deps.content.unguarded
    const request = { type: type.name, ...this.#context }
    const saved =
      id === undefined
        ? await writes.create(request, value.locale === undefined ? data : { ...data, locale: value.locale })
        : await writes.update({ ...request, id }, data)
    const at = value.published_at
    if (typeof at === 'string') await writes.publish({ ...request, id: saved.id }, at)
    else if (at === null && typeof saved.published_at === 'string')
      await writes.unpublish({ ...request, id: saved.id })
  }

  /** Problems name the items, not the places that they happen to have in a portion. */
  async #named(type: ContentType, items: readonly ItemName[], write: () => Promise<unknown>): Promise<void> {
    try {
      await write()
    } catch (error) {
      if (error instanceof RowsRefused) throw rowsRefused(error, items)
      const [only] = items
      if (!(error instanceof AppError) || error.status >= 500 || only === undefined || items.length > 1)
        throw error
      const { code, message, details = [{ path: '', code, message }] } = error
      const named = details.map((detail) => ({ ...detail, path: pathIn(only, detail.path) }))
      throw new AppError(code, `${sectionOfType(type.name)}: ${message}`, { details: named, cause: error })
    }
  }
}

/** Nothing can be stored without what is required, nor a translation before what it is a translation of. */
function mustWait({ attributes }: ContentType, { value, data, missing, id, source }: ReadyEntry): boolean {
  if (value.source !== undefined && id === undefined && source === undefined) return true
  if (missing.length === 0) return false
  return [...attributes.values()].some(({ name, required }) => {
    const wanted = value.data[name]
    return required && wanted !== null && wanted !== undefined && isEmpty(data[name])
  })
}

const isEmpty = (value: unknown) =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

function toSave({ options }: ContentType, { item: { key }, value, data, id }: ReadyEntry): EntryToSave {
  const isNew = id === undefined
  const at = value.published_at ?? null
  const published = !options.draftAndPublish || (isNew && at === null) ? undefined : at
  return {
    uuid: key,
    published,
    data: isNew && value.locale !== undefined ? { ...data, locale: value.locale } : data,
  }
}

function missingProblems({ item, missing }: ReadyEntry): ErrorDetail[] {
  return missing.map((each) => ({
    path: nameOf(item),
    code: 'reference',
    message: `refers to ${nameOf(each)}, which is not here; transfer that, too, or drop what is missing`,
  }))
}

function sourceProblems({ item, value }: ReadyEntry): ErrorDetail[] {
  const message = `is a translation of ${value.source}, which is not here; transfer that, too`
  return [{ path: nameOf(item), code: 'reference', message }]
}

function conflictOf(details: readonly ErrorDetail[]): AppError {
  const [first] = details
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : ''
  return new AppError('CONFLICT', `${first?.path} ${first?.message}${more}`, {
    details: details.slice(0, maxProblems),
  })
}

function rowsRefused({ rows }: RowsRefused, items: readonly ItemName[]): AppError {
  const details = rows.flatMap(({ index, error: { code, message, details: own } }): ErrorDetail[] => {
    const item = items[index]
    if (item === undefined) return []
    return (own ?? [{ path: '', code, message }]).map((detail) => ({
      ...detail,
      path: pathIn(item, detail.path),
    }))
  })
  const [first] = details
  return new AppError(rows[0]?.error.code ?? 'CONFLICT', `${first?.path} ${first?.message}`, {
    details: details.slice(0, maxProblems),
  })
}

const pathIn = (item: ItemName, path: string) => (path === '' ? nameOf(item) : `${nameOf(item)}.${path}`)
