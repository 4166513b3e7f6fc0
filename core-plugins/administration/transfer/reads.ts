import type { Readable } from 'node:stream'
import type { Releases } from '../../editing/releases/releases.ts'
import type { Database } from '../../foundation/database/database.ts'
import { AppError, type Principal } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { ItemName, ItemVersion, Section, TransferItem } from '../../foundation/sections/sections.ts'
import type { Agreement, Agreements, NewAgreement } from './agreements.ts'
import type { Environment } from './environment.ts'
import type { DescribedSection, SideDescription } from './plan/side.ts'
import type { EntryKeys } from './sections/entry-keys.ts'
import { isContributed, readableSection, refusalToAgree } from './sections/readable-section.ts'
import { sectionOfType } from './sections/section-names.ts'

/** Reads the content of this environment for a transfer, within the caller's permissions. */
export interface TransferReads {
  describe(principal: Principal): Promise<SideDescription>
  /** @throws AppError 403, 404 */
  page(principal: Principal, request: PageRequest): Promise<readonly ItemVersion[]>
  /** The items that exist. @throws AppError 403, 404 */
  find(principal: Principal, request: ItemsRequest): Promise<readonly TransferItem[]>
  /** As many items as fit into one answer, and the keys of the others. @throws AppError 403, 404 */
  some(principal: Principal, request: ItemsRequest): Promise<SomeItems>
  /** @throws AppError 403, 404 */
  agreements(
    principal: Principal,
    request: {
      readonly peer: string
      readonly section: string
      readonly after: string
      readonly limit: number
    },
  ): Promise<readonly Agreement[]>
  /** @throws AppError 403, 404 */
  agreementsOn(
    principal: Principal,
    request: { readonly peer: string; readonly section: string; readonly keys: readonly string[] },
  ): Promise<readonly Agreement[]>
  /** @throws AppError 403 */
  remember(principal: Principal, peer: string, agreements: readonly NewAgreement[], at: string): Promise<void>
  /** The bytes of an item's file from an offset. @throws AppError 403, 404 */
  file(principal: Principal, item: ItemName, offset: number): Promise<Readable>
  /** The entries of a release that the caller may read. @throws AppError 404 */
  release(principal: Principal, id: number): Promise<readonly ItemName[]>
}

export interface PageRequest {
  readonly section: string
  readonly after: string
  readonly limit: number
  /** Names of the companions of entries to include; none by default. */
  readonly beside?: readonly string[] | undefined
}

export interface ItemsRequest {
  readonly section: string
  readonly keys: readonly string[]
  /** See `PageRequest`. */
  readonly beside?: readonly string[] | undefined
}

/** Some of the requested items. */
export interface SomeItems {
  readonly items: readonly TransferItem[]
  /** The keys that are left for further requests. */
  readonly rest: readonly string[]
}

/** The most characters of JSON in one answer, unless a single item is larger. */
const maxCharacters = 8 * 1024 * 1024
const keysAtOnce = 25

export interface TransferReadDeps {
  readonly version: string
  readonly database: Database
  readonly environment: Environment
  readonly agreements: Agreements
  readonly sections: () => ReadonlyMap<string, Section>
  readonly schemas: Schemas
  readonly keys: EntryKeys
  readonly releases: Releases | undefined
}

export function createTransferReads(deps: TransferReadDeps): TransferReads {
  const { version, database, environment, agreements, sections } = deps

  const sectionFor = (principal: Principal, name: string) => readableSection(sections(), name, principal)

  return {
    async describe(principal) {
      const readable = [...sections().values()].filter((section) => section.mayRead(principal))
      return {
        environment: await environment.id(),
        version,
        sections: readable.map((section) => describedSection(section, principal)),
      }
    },
    async page(principal, { section, after, limit, beside }) {
      const found = await sectionFor(principal, section).page(after, limit, beside)
      return found.map(({ key, hash }) => ({ key, hash }))
    },
    async find(principal, { section, keys, beside }) {
      return sectionFor(principal, section).find(keys, { beside, reader: principal })
    },
    async some(principal, { section: name, keys, beside }) {
      const section = sectionFor(principal, name)
      const items: TransferItem[] = []
      let characters = 0
      let place = 0
      while (place < keys.length && characters < maxCharacters) {
        const found = await section.find(keys.slice(place, place + keysAtOnce), {
          beside,
          reader: principal,
        })
        items.push(...found)
        characters += found.reduce((sum, { value }) => sum + JSON.stringify(value).length, 0)
        place += keysAtOnce
      }
      return { items, rest: keys.slice(place) }
    },
    async agreements(principal, { peer, section, after, limit }) {
      return agreements.page(peer, sectionFor(principal, section).name, after, limit)
    },
    async agreementsOn(principal, { peer, section, keys }) {
      return agreements.on(peer, sectionFor(principal, section).name, keys)
    },
    async remember(principal, peer, newly, at) {
      for (const section of new Set(newly.map((each) => each.section))) {
        const refusal = refusalToAgree(sectionFor(principal, section), principal)
        if (refusal !== undefined) throw AppError.forbidden(`to agree on ${section} ${refusal}`)
      }
      // A time in the future would take precedence over all later agreements.
      const agreedAt = at < new Date().toISOString() ? at : new Date().toISOString()
      await database.transaction((tx) => agreements.remember(peer, newly, agreedAt, tx))
    },
    async file(principal, { section: name, key }, offset) {
      const section = sectionFor(principal, name)
      const found = isContributed(section) ? await section.readFile?.(key, offset) : undefined
      if (found === undefined) throw AppError.notFound(`the file of ${name}:${key}`)
      return found
    },
    release: (principal, id) => itemsOfRelease(deps, principal, id),
  }
}

function describedSection(section: Section, principal: Principal): DescribedSection {
  if (!isContributed(section)) {
    const beside = section.companions?.map(({ name }) => name) ?? []
    return { name: section.name, group: 'content', isStep: false, refusal: null, beside }
  }
  const { name, group = name, isStep = false } = section
  return { name, group, isStep, refusal: section.refusal(principal) ?? null }
}

async function itemsOfRelease(
  { releases, schemas, sections, keys }: TransferReadDeps,
  principal: Principal,
  id: number,
): Promise<readonly ItemName[]> {
  if (releases === undefined || !releases.mayRead(principal)) throw AppError.notFound(`release ${id}`)
  const items = await releases.items([id])
  if (items.length === 0) throw AppError.notFound(`release ${id} with entries in it`)
  const found: ItemName[] = []
  for (const name of new Set(items.map(({ contentType }) => contentType))) {
    const type = schemas.types.get(name)
    const section = sectionOfType(name)
    if (type === undefined || sections().get(section)?.mayRead(principal) !== true) continue
    const ids = items.filter(({ contentType }) => contentType === name).map(({ entryId }) => entryId)
    for (const key of (await keys.keysOf(type, ids)).values()) found.push({ section, key })
  }
  return found
}
