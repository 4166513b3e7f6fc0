import { operator } from '../../../../accounts/auth/auth.ts'
import type { Entry, StoredEntries, SystemEntries } from '../../../../entries/content/content.ts'
import type { Queries, Transaction } from '../../../../foundation/database/database.ts'
import {
  type ContentType,
  type ReferenceAttribute,
  type Schemas,
  targetNameOf,
} from '../../../../foundation/schemas/schemas.ts'
import {
  hashOf,
  type ItemFile,
  type ItemName,
  nameOf,
  type TransferItem,
  type Value,
} from '../../../../foundation/sections/sections.ts'
import type { EntryKeys } from '../entry-keys.ts'
import { mapValues } from '../map-values.ts'
import { sectionOfType } from '../section-names.ts'
import { describedType } from './media-value.ts'

export interface MediaReaderDeps {
  readonly schemas: Schemas
  readonly storedEntries: StoredEntries
  readonly keys: EntryKeys
}

/** A stored file or folder. */
export interface StoredMedia {
  readonly key: string
  readonly row: Entry
}

/** Reads files or folders as items of a transfer. */
export class MediaReader {
  readonly type: ContentType
  readonly #deps: MediaReaderDeps
  readonly #entries: SystemEntries

  constructor(name: 'media' | 'media-folder', deps: MediaReaderDeps) {
    this.type = describedType(deps.schemas, name)
    this.#deps = deps
    this.#entries = deps.storedEntries.systemEntries(name, [])
  }

  /** A page after a key, in the order of keys. */
  async page(after: string, limit: number): Promise<readonly StoredMedia[]> {
    return this.#rows(await this.#deps.keys.page(this.type, after, limit))
  }

  /** Finds files or folders by key, and locks them if there is a transaction. */
  async find(keys: readonly string[], tx?: Transaction): Promise<readonly StoredMedia[]> {
    const ids = await this.#deps.keys.idsOf(this.type, keys, tx)
    return this.#rows(
      [...ids].map(([key, id]) => ({ key, id })),
      tx,
    )
  }

  async #rows(known: readonly { readonly id: number; readonly key: string }[], tx?: Transaction) {
    const ids = known.map(({ id }) => id)
    const rows =
      tx === undefined
        ? await this.#entries.findMany(ids, { principal: operator })
        : await this.#entries.openMany(ids, tx)
    const byId = new Map(rows.map((row) => [row.id, row]))
    return known.flatMap(({ id, key }): StoredMedia[] => {
      const row = byId.get(id)
      return row === undefined ? [] : [{ key, row }]
    })
  }

  /** Makes items, in the given order. `fileOf` returns their files; undefined for folders. */
  async items(
    stored: readonly StoredMedia[],
    on: Queries | undefined,
    fileOf: (row: Entry) => ItemFile | undefined,
  ): Promise<readonly TransferItem[]> {
    const keys = await this.#referencedKeys(stored, on)
    return stored.map(({ key, row }) => this.#itemOf(key, row, { keys, file: fileOf(row) }))
  }

  async #referencedKeys(stored: readonly StoredMedia[], on: Queries | undefined) {
    const { schemas, keys } = this.#deps
    const ids = new Map<string, Set<number>>()
    const refer = (attribute: ReferenceAttribute, id: unknown) => {
      const target = targetNameOf(attribute)
      const ofTarget = ids.get(target) ?? new Set<number>()
      ids.set(target, ofTarget)
      if (typeof id === 'number') ofTarget.add(id)
      return undefined
    }
    for (const { row } of stored) mapValues(this.type, row, { components: schemas.components, refer })
    const found = new Map<string, ReadonlyMap<number, string>>()
    for (const [target, ofTarget] of ids) {
      const type = schemas.allTypes.get(target)
      if (type !== undefined) found.set(target, await keys.keysOf(type, [...ofTarget], on))
    }
    return found
  }

  #itemOf(
    key: string,
    row: Entry,
    known: {
      readonly keys: ReadonlyMap<string, ReadonlyMap<number, string>>
      readonly file: ItemFile | undefined
    },
  ): TransferItem {
    const references = new Map<string, ItemName>()
    const refer = (attribute: ReferenceAttribute, id: unknown) => {
      const target = targetNameOf(attribute)
      const found = known.keys.get(target)?.get(Number(id))
      const name = { section: sectionOfType(target), key: found ?? '' }
      if (found !== undefined) references.set(nameOf(name), name)
      return found
    }
    const { components } = this.#deps.schemas
    const shown = (isCompact: boolean): Value => ({
      ...(known.file === undefined ? {} : { file: known.file }),
      data: mapValues(this.type, row, { components, refer, isCompact }),
    })
    const { updated_at: changedAt } = row
    return {
      ...{ key, hash: hashOf(shown(true)), value: shown(false), file: known.file },
      label: known.file?.name ?? String(row.name),
      references: [...references.values()],
      changedAt: typeof changedAt === 'string' ? changedAt : null,
    }
  }
}
