import { setImmediate as otherWork } from 'node:timers/promises'
import { type Auth, operator } from '../../auth/auth.ts'
import type { Entry, StoredEntries } from '../../content/content.ts'
import type { Database, Queries, Transaction } from '../../database/database.ts'
import type { Principal } from '../../http/http.ts'
import type { Localizations } from '../../i18n/i18n.ts'
import {
  type ContentType,
  type ReferenceAttribute,
  type Schemas,
  targetNameOf,
} from '../../schemas/schemas.ts'
import { canonicalText, hashOf, type Value } from '../canonical.ts'
import type { ItemName, ItemVersion, TransferItem } from '../transfer-item.ts'
import { type Beside, companionsNamed, type EntryCompanion, readBeside } from './entry-companion.ts'
import { entryForm } from './entry-form.ts'
import type { EntryKeys } from './entry-keys.ts'
import { rightsFor } from './entry-rights.ts'
import { mapValues } from './map-values.ts'
import type { JudgedChange, Section } from './section.ts'
import { sectionOfType } from './section-names.ts'

export interface ContentSectionDeps {
  readonly auth: Auth
  readonly database: Database
  readonly schemas: Schemas
  readonly storedEntries: StoredEntries
  readonly keys: EntryKeys
  /** Undefined if nothing has locales. */
  readonly localizations: Localizations | undefined
  readonly titleOf: (type: ContentType, entry: Entry) => string | null
  /** Of all types; complete once all plugins have booted. */
  readonly companions: () => readonly EntryCompanion[]
}

/** What travels of an entry; attributes with references hold keys. */
export interface EntryValue extends Value {
  readonly locale?: string
  /** The key of the version that the others are translated from; absent for that version. */
  readonly source?: string
  /** Absent for types without drafts. */
  readonly published_at?: string | null
  readonly data: Value
  /** The pending draft, by field. */
  readonly draft?: Value
  /** What plugins keep beside the entry, as far as it was asked for. */
  readonly beside?: Beside
}

/** The entries of a type. */
export function contentSection(type: ContentType, deps: ContentSectionDeps): Section {
  const { auth, keys } = deps
  const reader = new EntryReader(type, deps)
  const companions = () => deps.companions().filter((companion) => companion.matches(type))
  return {
    get companions() {
      return companions()
    },
    name: sectionOfType(type.name),
    readingTakes: `to read ${type.name} with drafts`,
    mayRead: (principal) =>
      auth.mayContent(principal, type.name, 'read') &&
      (!type.options.draftAndPublish || auth.seesDrafts(principal, type.name)),
    async page(after, limit, beside = []) {
      const wanted = companionsNamed(companions(), beside)
      return reader.versions(await keys.page(type, after, limit), wanted)
    },
    async find(wanted, { tx, beside = [] } = {}) {
      const ids = await keys.idsOf(type, wanted, tx)
      const known = [...ids].map(([key, id]) => ({ key, id }))
      return reader.items(known, companionsNamed(companions(), beside), tx)
    },
    assertForm: entryForm(companions),
    *missingRights(principal, change) {
      for (const right of rightsFor(change)) {
        if (!auth.mayContent(principal, type.name, right)) yield `the right to ${right}`
      }
      if (change.action === 'put') yield* rightsMissingBeside(principal, type, { change, companions })
    },
  }
}

function* rightsMissingBeside(
  principal: Principal,
  type: ContentType,
  {
    change,
    companions,
  }: { readonly change: JudgedChange; readonly companions: () => readonly EntryCompanion[] },
): Iterable<string> {
  const besideIn = (value: Value | undefined): Beside => (value as EntryValue | undefined)?.beside ?? {}
  const [values, presents] = [besideIn(change.value), besideIn(change.present)]
  for (const companion of companions()) {
    const [value, present] = [values[companion.name], presents[companion.name]]
    if (canonicalText(value) === canonicalText(present)) continue
    yield* companion.missingRights(principal, type, { value, present })
  }
}

interface KnownEntry {
  readonly id: number
  readonly key: string
}

/** An entry with everything that its value is made of. */
interface WholeEntry extends KnownEntry {
  readonly row: Entry
  readonly draft: Value | undefined
  readonly source: string | undefined
  readonly beside: Beside | undefined
}

/** So that not many large entries are in memory. */
const entriesAtOnce = 100

class EntryReader {
  readonly #type: ContentType
  readonly #deps: ContentSectionDeps

  constructor(type: ContentType, deps: ContentSectionDeps) {
    this.#type = type
    this.#deps = deps
  }

  async versions(
    known: readonly KnownEntry[],
    companions: readonly EntryCompanion[],
  ): Promise<readonly ItemVersion[]> {
    const versions: ItemVersion[] = []
    for (let start = 0; start < known.length; start += entriesAtOnce) {
      const items = await this.items(known.slice(start, start + entriesAtOnce), companions)
      for (const { key, hash } of items) versions.push({ key, hash })
      // On SQLite, awaiting a query lets no other request in.
      await otherWork()
    }
    return versions
  }

  /** In the order given. */
  async items(
    known: readonly KnownEntry[],
    companions: readonly EntryCompanion[],
    tx?: Transaction,
  ): Promise<readonly TransferItem[]> {
    const whole = await this.#read(known, companions, tx)
    const keys = await this.#referencedKeys(whole, tx)
    return whole.map((entry) => this.#itemOf(entry, keys))
  }

  async #read(
    known: readonly KnownEntry[],
    companions: readonly EntryCompanion[],
    tx: Transaction | undefined,
  ): Promise<WholeEntry[]> {
    const { storedEntries, database } = this.#deps
    const type = this.#type.name
    const ids = known.map(({ id }) => id)
    if (ids.length === 0) return []
    const rows = await (tx === undefined
      ? storedEntries.read(type, ids, database)
      : storedEntries.lock({ type, principal: operator, tx }, ids))
    const byId = new Map(rows.map((row) => [row.id, row]))
    const drafts = await storedEntries.drafts(type, ids, tx ?? database)
    const sources = await this.#sourcesOf(ids, tx ?? database)
    const besides = await readBeside(companions, this.#type, { ids, tx })
    return known.flatMap(({ id, key }) => {
      const row = byId.get(id)
      if (row === undefined) return []
      storedEntries.completeComponents(type, row)
      const [draft, source, beside] = [drafts.get(id)?.values, sources.get(id), besides.get(id)]
      return [{ id, key, row, draft, source, beside }]
    })
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

  async #referencedKeys(entries: readonly WholeEntry[], on?: Queries) {
    const ids = new Map<string, Set<number>>()
    const collect = (attribute: ReferenceAttribute, id: unknown) => {
      const target = targetNameOf(attribute)
      const ofTarget = ids.get(target) ?? new Set<number>()
      ids.set(target, ofTarget)
      if (typeof id === 'number') ofTarget.add(id)
      return undefined
    }
    const { components, allTypes } = this.#deps.schemas
    for (const { row, draft = {} } of entries) {
      for (const values of [row, draft]) mapValues(this.#type, values, { components, refer: collect })
    }
    const keys = new Map<string, ReadonlyMap<number, string>>()
    for (const [target, ofTarget] of ids) {
      const type = allTypes.get(target)
      if (type !== undefined) keys.set(target, await this.#deps.keys.keysOf(type, [...ofTarget], on))
    }
    return keys
  }

  #itemOf(entry: WholeEntry, keys: ReadonlyMap<string, ReadonlyMap<number, string>>): TransferItem {
    const references = new Map<string, ItemName>()
    const refer = (attribute: ReferenceAttribute, id: unknown) => {
      const target = targetNameOf(attribute)
      const key = keys.get(target)?.get(Number(id))
      if (key !== undefined) references.set(`${target} ${key}`, { section: sectionOfType(target), key })
      return key
    }
    const value = this.#valueOf(entry, { refer })
    if (entry.source !== undefined) {
      references.set('source', { section: sectionOfType(this.#type.name), key: entry.source })
    }
    const { updated_at: changedAt } = entry.row
    return {
      key: entry.key,
      hash: hashOf(this.#valueOf(entry, { refer, isCompact: true })),
      label: this.#deps.titleOf(this.#type, entry.row),
      value,
      references: [...references.values()],
      changedAt: typeof changedAt === 'string' ? changedAt : null,
    }
  }

  #valueOf(
    { row, draft, source, beside }: WholeEntry,
    mapping: { refer(attribute: ReferenceAttribute, id: unknown): string | undefined; isCompact?: boolean },
  ): EntryValue {
    const { components } = this.#deps.schemas
    const type = this.#type
    return {
      ...(typeof row.locale === 'string' ? { locale: row.locale } : {}),
      ...(source === undefined ? {} : { source }),
      ...(type.options.draftAndPublish ? { published_at: publishedAt(row) } : {}),
      data: mapValues(type, row, { components, ...mapping }),
      // What is empty in a draft empties the field, so that nothing of it is left out.
      ...(draft === undefined ? {} : { draft: mapValues(type, draft, { components, refer: mapping.refer }) }),
      ...(beside === undefined ? {} : { beside }),
    }
  }
}

function publishedAt({ published_at: at }: Entry): string | null {
  return typeof at === 'string' ? at : null
}
