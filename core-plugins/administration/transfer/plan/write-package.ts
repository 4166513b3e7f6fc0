import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { AppError } from '../../../foundation/http/http.ts'
import {
  canonicalText,
  type FileOfItem,
  type ItemName,
  nameOf,
  type TransferItem,
} from '../../../foundation/sections/sections.ts'
import type { PackageChange, PackageHeader } from '../package/package-change.ts'
import type { Comparison } from './comparison.ts'
import type { ItemDifference } from './difference.ts'
import type { TransferPlan } from './plan-transfer.ts'
import { itemsAtOnce, sectionOf, type TransferSide, type WrittenPackage } from './side.ts'

/** What becomes of items that others refer to and that the target does not have. */
export type OnMissing = 'refuse' | 'include' | 'drop'

/** What was written, and what of it was not in the plan. */
export interface NewPackage extends WrittenPackage {
  /** Items that the target lacked, and that go along. */
  readonly included: readonly ItemName[]
  /** What the target must have before the package is applied. */
  readonly files: readonly FileOfItem[]
}

/**
 * Writes what a plan says, with the items as they are at the source. Equal plans make equal packages, so that one of which the
 * transfer was interrupted goes on.
 * @throws AppError 409 for an item that has changed since it was compared, or that refers to one that the target lacks
 */
export async function writePackage(
  comparison: Comparison,
  plan: TransferPlan,
  { path, onMissing }: { readonly path: string; readonly onMissing: OnMissing },
): Promise<NewPackage> {
  const { source, target } = comparison
  const lines = new LineWriter(path)
  try {
    const header: PackageHeader = {
      format: 1,
      environment: source.described.environment,
      target: target.described.environment,
      missing: onMissing === 'drop' ? 'drop' : 'refuse',
      beside: besideAll(comparison),
    }
    await lines.write(header)
    const references = new ReferenceCheck(comparison, plan.puts)
    const files: FileOfItem[] = []
    const writing = { lines, references, files }
    await writePuts(comparison, plan.puts, writing)
    const included: ItemName[] = []
    for (let missing = await references.missing(); missing.length > 0; missing = await references.missing()) {
      if (onMissing === 'drop') break
      if (onMissing === 'refuse') throw missingAtTarget(missing)
      included.push(...missing)
      await writePuts(comparison, await asAdded(comparison, missing), writing)
    }
    for (const item of sorted(plan.removals)) await lines.write(changeOf(item, 'remove'))
    for (const item of sorted(plan.agreements)) await lines.write(changeOf(item, 'agree'))
    return { ...(await lines.end()), path, included, files }
  } catch (error) {
    lines.destroy()
    throw error
  }
}

/** By section; those that keep nothing beside their entries are left out. */
function besideAll({ source, besideOf }: Comparison): PackageHeader['beside'] {
  const all = source.described.sections.map(({ name }) => [name, besideOf(name)] as const)
  return Object.fromEntries(all.filter(([, beside]) => beside.length > 0))
}

interface Writing {
  readonly lines: LineWriter
  readonly references: ReferenceCheck
  readonly files: FileOfItem[]
}

async function writePuts(
  { source, target }: Comparison,
  items: readonly ItemDifference[],
  { lines, references, files }: Writing,
): Promise<void> {
  for (const { section, items: some } of portionsOf(sorted(items))) {
    const found = await source.find(
      section,
      some.map(({ key }) => key),
    )
    const byKey = new Map(found.map((item) => [item.key, item]))
    for (const item of some) {
      const whole = byKey.get(item.key)
      if (whole?.hash !== item.source) throw changedMeanwhile(item)
      references.note(item, whole)
      await lines.write({ ...changeOf(item, 'put'), value: whole.value })
    }
    files.push(...(await filesToSend(target, section, some, byKey)))
  }
}

/** Those that the target does not have. */
async function filesToSend(
  target: TransferSide,
  section: string,
  items: readonly ItemDifference[],
  byKey: ReadonlyMap<string, TransferItem>,
): Promise<FileOfItem[]> {
  const withFiles = items.filter(({ key }) => byKey.get(key)?.file !== undefined)
  const changed = withFiles.filter((item) => item.target !== null).map(({ key }) => key)
  const there = changed.length === 0 ? [] : await target.find(section, changed)
  const present = new Map(there.map(({ key, file }) => [key, canonicalText(file)]))
  return withFiles.flatMap(({ key }) => {
    const file = byKey.get(key)?.file
    return file === undefined || present.get(key) === canonicalText(file)
      ? []
      : [{ item: { section, key }, file }]
  })
}

const changeOf = (
  { section, key, target, source }: Pick<ItemDifference, 'section' | 'key' | 'source' | 'target'>,
  action: PackageChange['action'],
): PackageChange => ({ section, key, action, before: target, source })

/** Which items are referred to, and missing at the target. */
class ReferenceCheck {
  readonly #comparison: Comparison
  readonly #known: Set<string>
  #unknown = new Map<string, ItemName>()

  constructor(comparison: Comparison, puts: readonly ItemName[]) {
    this.#comparison = comparison
    this.#known = new Set(puts.map(nameOf))
  }

  note(item: ItemName, { references }: TransferItem): void {
    this.#known.add(nameOf(item))
    for (const reference of references) {
      const name = nameOf(reference)
      if (!this.#known.has(name)) this.#unknown.set(name, reference)
    }
  }

  /** Each of them once. */
  async missing(): Promise<readonly ItemName[]> {
    const asked = [...this.#unknown.values()].filter((item) => !this.#known.has(nameOf(item)))
    this.#unknown = new Map()
    const missing: ItemName[] = []
    const { described, find } = this.#comparison.target
    for (const { section, items } of portionsOf(sorted(asked))) {
      for (const item of items) this.#known.add(nameOf(item))
      // What cannot be asked for, such as users, is found out by the target.
      if (sectionOf(described, section) === undefined) continue
      const present = new Set(
        (
          await find(
            section,
            items.map(({ key }) => key),
          )
        ).map(({ key }) => key),
      )
      missing.push(...items.filter(({ key }) => !present.has(key)))
    }
    return missing
  }
}

async function asAdded({ source }: Comparison, items: readonly ItemName[]): Promise<ItemDifference[]> {
  const added: ItemDifference[] = []
  for (const { section, items: some } of portionsOf(sorted(items))) {
    for (const { key, hash } of await source.find(
      section,
      some.map(({ key }) => key),
    )) {
      added.push({ section, key, source: hash, target: null, difference: 'added' })
    }
  }
  return added
}

function sorted<Item extends ItemName>(items: readonly Item[]): Item[] {
  const orderOf = ({ section, key }: ItemName) => `${section} ${key}`
  return [...items].sort((left, right) => (orderOf(left) < orderOf(right) ? -1 : 1))
}

/** Items of one section at a time. */
function* portionsOf<Item extends ItemName>(items: readonly Item[]) {
  for (let start = 0; start < items.length; ) {
    const section = items[start]?.section ?? ''
    const some: Item[] = []
    for (; start < items.length && some.length < itemsAtOnce; start++) {
      const item = items[start]
      if (item === undefined || item.section !== section) break
      some.push(item)
    }
    yield { section, items: some }
  }
}

/** Writes lines, one after the other, and knows what it has written. */
class LineWriter {
  readonly #stream: ReturnType<typeof createWriteStream>
  readonly #hash = createHash('sha256')
  #size = 0

  constructor(path: string) {
    this.#stream = createWriteStream(path, { mode: 0o600 })
    this.#stream.on('error', () => undefined)
  }

  async write(line: PackageHeader | PackageChange): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
    this.#hash.update(bytes)
    this.#size += bytes.length
    if (!this.#stream.write(bytes)) await once(this.#stream, 'drain')
  }

  async end(): Promise<{ readonly id: string; readonly size: number }> {
    this.#stream.end()
    await once(this.#stream, 'close')
    if (this.#stream.errored !== null) throw this.#stream.errored
    return { id: this.#hash.digest('hex'), size: this.#size }
  }

  destroy(): void {
    this.#stream.destroy()
  }
}

function missingAtTarget(missing: readonly ItemName[]): AppError {
  const details = missing.slice(0, 100).map((item) => ({
    path: nameOf(item),
    code: 'reference',
    message:
      'is referred to, and missing at the target; --missing include transfers it, --missing drop the rest without it',
  }))
  const [first] = details
  const more = missing.length > 1 ? ` (and ${missing.length - 1} more)` : ''
  return new AppError('CONFLICT', `${first?.path} ${first?.message}${more}`, { details })
}

function changedMeanwhile(item: ItemName): AppError {
  return new AppError(
    'CONFLICT',
    `${nameOf(item)} has changed at the source since it was compared; begin again`,
  )
}
