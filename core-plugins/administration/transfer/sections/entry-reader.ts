import { operator } from '../../../accounts/auth/auth.ts'
import type { Localizations } from '../../../editing/i18n/i18n.ts'
import type { Author, Authors } from '../../../entries/authors/authors.ts'
import type { Entry, StoredEntries } from '../../../entries/content/content.ts'
import type { Database, Queries, Transaction } from '../../../foundation/database/database.ts'
import {
  type ContentType,
  type ReferenceAttribute,
  type Schemas,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import {
  type EntryCompanion,
  hashOf,
  type ItemName,
  type TransferItem,
  type Value,
} from '../../../foundation/sections/sections.ts'
import { type Beside, readBeside } from './beside.ts'
import type { EntryKeys } from './entry-keys.ts'
import { hiddenReference, hiddenReferences } from './hidden-references.ts'
import type { KeptHash } from './kept-hashes.ts'
import { type Mapping, mapValues } from './map-values.ts'
import { idIn, referencesIn } from './references-in.ts'
import { sectionOfType } from './section-names.ts'

export interface EntryReaderDeps {
  readonly database: Database
  readonly schemas: Schemas
  readonly storedEntries: StoredEntries
  readonly keys: EntryKeys
  /** Undefined while localisation is switched off. */
  readonly localizations: Localizations | undefined
  readonly titleOf: (type: ContentType, entry: Entry) => string | null
  /** Undefined while the plugin `authors` is switched off. */
  readonly authors?: Authors | undefined
}

/** The part of an entry that is transferred. References are keys, or a `HiddenReference`. */
export interface EntryValue extends Value {
  readonly locale?: string
  /** The key of the version that this one is translated from; absent for the original. */
  readonly source?: string
  /** Absent for types without drafts. */
  readonly published_at?: string | null
  readonly data: Value
  /** The pending draft, by field. */
  readonly draft?: Value
  /** The values of the requested companions. */
  readonly beside?: Beside
}

/** An entry with the key that identifies it in every environment. */
export interface KnownEntry {
  readonly id: number
  readonly key: string
}

interface StoredEntry extends KnownEntry {
  readonly row: Entry
  readonly draft: Value | undefined
}

/** Parts of an item that can change without the entry itself. */
interface Around {
  /** The key of the version that the entry is translated from. */
  readonly source: string | undefined
  readonly beside: Beside | undefined
}

/** An entry with everything needed for its value. */
type WholeEntry = StoredEntry & Around

type Keys = ReadonlyMap<string, ReadonlyMap<number, string>>

/** Computes the hash of an item from the hash of the entry alone. */
export function wholeHash(bare: string, { source, beside }: Around): string {
  return source === undefined && beside === undefined ? bare : hashOf({ entry: bare, source, beside })
}

interface ItemOptions {
  readonly companions: readonly EntryCompanion[]
  /** Whether versions name the last author. */
  readonly hasAuthors: boolean
  readonly tx: Transaction | undefined
}

/** Reads entries of a type as items of a transfer. */
export class EntryReader {
  readonly #type: ContentType
  readonly #deps: EntryReaderDeps

  constructor(type: ContentType, deps: EntryReaderDeps) {
    this.#type = type
    this.#deps = deps
  }

  /** The hashes of entries by id, without the parts that change independently. */
  async bare(known: readonly KnownEntry[]): Promise<ReadonlyMap<number, KeptHash>> {
    const rows = await this.#read(known, undefined)
    const keys = await this.#referencedKeys(rows)
    return new Map(
      rows.map((entry) => {
        const { updated_at: at } = entry.row
        const updatedAt = typeof at === 'string' ? at : null
        return [entry.id, { entryId: entry.id, hash: this.#bareHash(entry, keys), updatedAt }]
      }),
    )
  }

  /** The parts of items that can change without their entries. */
  async around(
    ids: readonly number[],
    companions: readonly EntryCompanion[],
    tx?: Transaction,
  ): Promise<(id: number) => Around> {
    const sources = await this.#sourcesOf(ids, tx ?? this.#deps.database)
    const besides = await readBeside(companions, this.#type, { ids, tx })
    return (id) => ({ source: sources.get(id), beside: besides.get(id) })
  }

  /** The items in the order of the given entries. */
  async items(
    known: readonly KnownEntry[],
    { companions, hasAuthors, tx }: ItemOptions,
  ): Promise<readonly TransferItem[]> {
    const stored = await this.#read(known, tx)
    const keys = await this.#referencedKeys(stored, tx)
    const hidden = companions.includes(hiddenReferences) ? await this.#hiddenKeys(stored, tx) : undefined
    const around = await this.around(
      stored.map(({ id }) => id),
      companions,
      tx,
    )
    const authors = hasAuthors ? await this.#authorsOf(stored, tx) : undefined
    return stored.map((entry) => ({
      ...this.#itemOf({ ...entry, ...around(entry.id) }, keys, hidden),
      ...authorIn(authors, entry.id),
    }))
  }

  async #read(known: readonly KnownEntry[], tx: Transaction | undefined): Promise<StoredEntry[]> {
    const { storedEntries, database } = this.#deps
    const type = this.#type.name
    const ids = known.map(({ id }) => id)
    if (ids.length === 0) return []
    const rows = await (tx === undefined
      ? storedEntries.read(type, ids, database)
      : storedEntries.lock({ type, principal: operator, tx }, ids))
    const byId = new Map(rows.map((row) => [row.id, row]))
    const drafts = await storedEntries.drafts(type, ids, tx ?? database)
    return known.flatMap(({ id, key }) => {
      const row = byId.get(id)
      if (row === undefined) return []
      storedEntries.fitToSchema(type, row)
      return [{ id, key, row, draft: drafts.get(id)?.values }]
    })
  }

  async #authorsOf(entries: readonly StoredEntry[], tx: Transaction | undefined) {
    const { authors, database } = this.#deps
    const ids = entries.map(({ id }) => id)
    return authors?.lastOf(this.#type, ids, tx ?? database)
  }

  /** The keys of the versions that entries are translated from. */
  async #sourcesOf(ids: readonly number[], on: Queries): Promise<ReadonlyMap<number, string>> {
    const { localizations, keys } = this.#deps
    const type = this.#type
    if (localizations === undefined || !type.options.i18n.enabled || type.kind === 'singleType')
      return new Map()
    const sources = await localizations.sourcesOf(type, ids, on)
    const known = await keys.keysOf(type, [...new Set(sources.values())], on)
    return new Map(
      [...sources].flatMap(([id, source]) => {
        const key = known.get(source)
        return source === id || key === undefined ? [] : [[id, key] as const]
      }),
    )
  }

  #referencedKeys(entries: readonly StoredEntry[], on?: Queries): Promise<Keys> {
    return this.#keysBy(entries, (type, ids) => this.#deps.keys.keysOf(type, ids, on))
  }

  /** The keys of referenced entries in the trash. */
  #hiddenKeys(entries: readonly StoredEntry[], on?: Queries): Promise<Keys> {
    return this.#keysBy(entries, (type, ids) => this.#deps.keys.trashedKeysOf(type, ids, on))
  }

  async #keysBy(
    entries: readonly StoredEntry[],
    keysOf: (type: ContentType, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>,
  ): Promise<Keys> {
    const { schemas } = this.#deps
    const values = entries.flatMap(({ row, draft = {} }) => [row, draft])
    const ids = referencesIn(schemas, { type: this.#type, values }, idIn)
    const keys = new Map<string, ReadonlyMap<number, string>>()
    for (const [target, ofTarget] of ids) {
      const type = schemas.allTypes.get(target)
      if (type !== undefined) keys.set(target, await keysOf(type, [...ofTarget]))
    }
    return keys
  }

  /** `hidden`: the keys of entries in the trash, if they should be included. */
  #itemOf(entry: WholeEntry, keys: Keys, hidden: Keys | undefined): TransferItem {
    const references = new Map<string, ItemName>()
    const refer = (attribute: ReferenceAttribute, id: unknown) => {
      const target = targetNameOf(attribute)
      const key = keys.get(target)?.get(Number(id))
      if (key !== undefined) references.set(`${target} ${key}`, { section: sectionOfType(target), key })
      const hiddenKey = hidden?.get(target)?.get(Number(id))
      return hiddenKey === undefined ? key : hiddenReference(hiddenKey)
    }
    const value = this.#valueOf(entry, { refer })
    if (entry.source !== undefined) {
      references.set('source', { section: sectionOfType(this.#type.name), key: entry.source })
    }
    const { updated_at: changedAt } = entry.row
    return {
      key: entry.key,
      hash: wholeHash(this.#bareHash(entry, keys), entry),
      label: this.#deps.titleOf(this.#type, entry.row),
      value,
      references: [...references.values()],
      changedAt: typeof changedAt === 'string' ? changedAt : null,
    }
  }

  /** The hash of the entry without the parts that change independently. */
  #bareHash({ id, key, row, draft }: StoredEntry, keys: Keys): string {
    const refer = (attribute: ReferenceAttribute, target: unknown) =>
      keys.get(targetNameOf(attribute))?.get(Number(target))
    const bare = { id, key, row, draft, source: undefined, beside: undefined }
    return hashOf(this.#valueOf(bare, { refer, isCompact: true }))
  }

  #valueOf(
    { row, draft, source, beside }: WholeEntry,
    mapping: Pick<Mapping, 'refer' | 'isCompact'>,
  ): EntryValue {
    const { components } = this.#deps.schemas
    const type = this.#type
    return {
      ...(typeof row.locale === 'string' ? { locale: row.locale } : {}),
      ...(source === undefined ? {} : { source }),
      ...(type.options.draftAndPublish ? { published_at: publishedAt(row) } : {}),
      data: mapValues(type, row, { components, ...mapping }),
      // An empty value in a draft empties the field, so it must not be left out.
      ...(draft === undefined ? {} : { draft: mapValues(type, draft, { components, refer: mapping.refer }) }),
      ...(beside === undefined ? {} : { beside }),
    }
  }
}

function authorIn(
  authors: ReadonlyMap<number, Author> | undefined,
  id: number,
): Pick<TransferItem, 'changedBy'> {
  const author = authors?.get(id)
  return author === undefined ? {} : { changedBy: { kind: author.kind, username: author.username } }
}

function publishedAt({ published_at: at }: Entry): string | null {
  return typeof at === 'string' ? at : null
}
