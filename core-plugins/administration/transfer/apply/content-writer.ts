import { setImmediate as otherWork } from 'node:timers/promises'
import { AppError, type ErrorDetail } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { LinePlace, PackageFile, PlacedChange } from '../package/package-file.ts'
import type { EntryValue } from '../sections/entry-reader.ts'
import { typeOfSection } from '../sections/section-names.ts'
import type { ApplyContext } from './apply-context.ts'
import { EntrySaver, type EntrySaverDeps } from './entry-saver.ts'
import { mustWait, type ReadyEntry } from './ready-entry.ts'
import {
  findReferenced,
  missingProblems,
  type ResolveDeps,
  refusal,
  resolveValues,
} from './resolve-references.ts'

export type ContentWriterDeps = ResolveDeps & EntrySaverDeps

/** What a package asks of the content. */
export interface ContentChanges {
  readonly file: PackageFile
  /** Removes references to what is missing, instead of refusing the package. */
  readonly dropsMissing: boolean
  /** How many entries are stored together: one where it has to be found out which of them the database refuses. */
  readonly atOnce: number
}

/** Circles of entries that must have each other cannot be made in another way either. */
const maxRounds = 100
const maxProblems = 100

/**
 * Writes entries with the references between them: first without the references whose targets do not exist yet, then again with
 * them. An entry with a required reference waits until its target exists.
 */
export class ContentWriter {
  readonly #deps: ContentWriterDeps
  readonly #context: ApplyContext
  readonly #changes: ContentChanges
  readonly #saver: EntrySaver

  constructor(deps: ContentWriterDeps, changes: ContentChanges, context: ApplyContext) {
    this.#deps = deps
    this.#changes = changes
    this.#context = context
    this.#saver = new EntrySaver(deps, context)
  }

  /** Writes the entries of these lines. @throws AppError with the problems of the first entries that have any */
  async put(places: readonly LinePlace[]): Promise<void> {
    let waiting = places
    const incomplete: LinePlace[] = []
    const drafts: LinePlace[] = []
    let isStuck = false
    for (let round = 1; waiting.length > 0; round++) {
      // Entries that still wait are then written without the missing references, so that the write reports what they lack.
      const isLast = isStuck || round === maxRounds
      const left = await this.#round(waiting, { incomplete, drafts, isLast })
      isStuck = left.length === waiting.length
      waiting = left
    }
    await this.#complete(incomplete)
    await this.#putDrafts(drafts)
  }

  /** Deletes the entries of these lines one by one. */
  async remove(places: readonly LinePlace[]): Promise<void> {
    for await (const { type, changes } of this.#portions(places)) {
      await this.#saver.remove(
        type,
        changes.map(({ change: { key } }) => key),
      )
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
      const isNow = (entry: ReadyEntry) => isLast || !mustWait(type, entry)
      const now = ready.filter(isNow)
      for (const entry of ready) if (!isNow(entry)) waiting.push(entry.place)
      await this.#saver.save(type, now)
      for (const { place, missing, value } of now) {
        if (missing.length > 0) incomplete.push(place)
        if (value.draft !== undefined) drafts.push(place)
      }
    }
    return waiting
  }

  /** Writes entries again whose references were incomplete. */
  async #complete(places: readonly LinePlace[]): Promise<void> {
    const problems: ErrorDetail[] = []
    for await (const { type, changes } of this.#portions(places)) {
      const ready = await this.#ready(type, changes)
      if (!this.#changes.dropsMissing) {
        problems.push(...ready.flatMap(({ item, missing }) => missingProblems(item, missing)))
      }
      if (problems.length === 0) await this.#saver.save(type, ready)
      if (problems.length > maxProblems) break
    }
    if (problems.length > 0) throw refusal(problems)
  }

  async #putDrafts(places: readonly LinePlace[]): Promise<void> {
    for await (const { type, changes } of this.#portions(places)) {
      const known = await this.#known(type, changes)
      const drafts = changes.map(({ change: { key, value } }) => {
        const { draft = {} } = value as EntryValue
        const data = resolveValues(this.#deps, type, draft, known).values
        return { uuid: key, data, comparedWith: 'latest' as const }
      })
      await this.#saver.saveDrafts(
        type,
        changes.map(({ change }) => change),
        drafts,
      )
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
    const keys = changes.map(({ change: { key } }) => key)
    return findReferenced(this.#deps, { type, keys, values }, this.#context)
  }

  async #ready(type: ContentType, changes: readonly PlacedChange[]): Promise<ReadyEntry[]> {
    const known = await this.#known(type, changes)
    const sources = changes.flatMap(({ change: { value } }) => (value as EntryValue).source ?? [])
    const here = await this.#deps.keys.idsOf(
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
}
