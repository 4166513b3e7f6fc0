import type { Localizations } from '../../../editing/i18n/i18n.ts'
import type { BulkWrites, Content, EntryToSave, Guarded, Trash } from '../../../entries/content/content.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { ItemName } from '../../../foundation/sections/sections.ts'
import type { EntryKeys } from '../sections/entry-keys.ts'
import type { ApplyContext } from './apply-context.ts'
import { named } from './named-problems.ts'
import { isJoining, type ReadyEntry, sourceProblems, toSave } from './ready-entry.ts'
import { refusal } from './resolve-references.ts'

export interface EntrySaverDeps {
  readonly content: Content
  readonly bulkWrites: Guarded<BulkWrites>
  readonly trash: Guarded<Trash>
  readonly keys: EntryKeys
  /** Undefined while localisation is switched off. */
  readonly localizations: Localizations | undefined
}

/** Saves entries of one type with few statements, through the ordinary write path. */
export class EntrySaver {
  readonly #deps: EntrySaverDeps
  readonly #context: ApplyContext

  constructor(deps: EntrySaverDeps, context: ApplyContext) {
    this.#deps = deps
    this.#context = context
  }

  async save(type: ContentType, entries: readonly ReadyEntry[]): Promise<void> {
    if (entries.length === 0) return
    if (type.kind === 'singleType') {
      for (const entry of entries) await named([entry.item], () => this.#saveSingle(type, entry))
      return
    }
    await this.#fromTrash(type, entries)
    const toStore = await this.#withVersions(type, entries)
    const items = entries.map(({ item }) => item)
    await named(items, () => this.#saveMany(type, toStore))
  }

  /** Saves the pending drafts of entries that exist here. */
  async saveDrafts(
    type: ContentType,
    items: readonly ItemName[],
    drafts: readonly EntryToSave[],
  ): Promise<void> {
    if (type.kind !== 'singleType') {
      await named(items, () => this.#saveMany(type, drafts))
      return
    }
    const { keys, content } = this.#deps
    const wanted = items.map(({ key }) => key)
    for (const [key, id] of await keys.idsOf(type, wanted, this.#context.tx)) {
      const data = drafts.find(({ uuid }) => uuid === key)?.data
      await named(items, () => content.unguarded.update({ type: type.name, ...this.#context, id }, data))
    }
  }

  async remove(type: ContentType, keys: readonly string[]): Promise<void> {
    const ids = await this.#deps.keys.idsOf(type, keys, this.#context.tx)
    const { bulkWrites } = this.#deps
    await bulkWrites.unguarded.deleteMany({ type: type.name, ...this.#context }, [...ids.values()])
  }

  #saveMany({ name }: ContentType, entries: readonly EntryToSave[]) {
    const request = { type: name, ...this.#context }
    return this.#deps.bulkWrites.unguarded.saveMany(request, entries, { match: 'uuid' })
  }

  /** Connects new versions to the entries that they are translations of. @throws AppError 409 if such an entry does not exist here */
  async #withVersions(type: ContentType, entries: readonly ReadyEntry[]): Promise<readonly EntryToSave[]> {
    const joining = entries.filter(isJoining)
    const lost = joining.filter(({ source }) => source === undefined)
    if (lost.length > 0) throw refusal(lost.flatMap(sourceProblems))
    const sources = [...new Set(joining.flatMap(({ source }) => source ?? []))]
    const request = { type: type.name, ...this.#context }
    const annotations =
      sources.length === 0 ? undefined : await this.#deps.localizations?.joiningMany(request, sources)
    return entries.map((entry) => {
      const saved = toSave(type, entry)
      return isJoining(entry) ? { ...saved, annotations: annotations?.get(entry.source ?? 0) } : saved
    })
  }

  /** Restores entries that are in the trash here, because they still have their UUIDs. */
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
}
