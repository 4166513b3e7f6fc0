import type { Transaction } from '../../../foundation/database/database.ts'
import { AppError, type ErrorDetail, type Principal } from '../../../foundation/http/http.ts'
import { nameOf, type Section, type TransferItem } from '../../../foundation/sections/sections.ts'
import type { PackageChange, PackageHeader } from '../package/package-change.ts'
import type { PlacedChange } from '../package/package-file.ts'
import { isContributed } from '../sections/readable-section.ts'
import { NeededRights } from './needed-rights.ts'

type Sections = ReadonlyMap<string, Section>

const changesAtOnce = 100
const maxDetails = 100

/**
 * Checks that the items to write still equal those from which the package was computed, and locks them if there is a transaction.
 * @throws AppError 403 with all rights that are missing, 409 with all items that have changed since
 */
export async function assertUnchanged(
  sections: Sections,
  changes: AsyncIterable<PlacedChange>,
  { principal, tx, beside }: PresentOptions & { readonly principal: Principal },
): Promise<void> {
  const rights = new NeededRights(principal)
  const details: ErrorDetail[] = []
  for await (const portion of portionsOf(changes)) {
    const present = await presentItems(sections, portion, { tx, beside })
    for (const { change } of portion) {
      const item = present.get(change.key)
      const section = sections.get(change.section)
      rights.note(section, change, item?.value)
      const hash = item?.hash ?? null
      // Sections outside of the transaction may have been written by a process that died afterwards.
      const isWritten = isContributed(section) && section.isStep === true && hash === change.source
      if (hash !== change.before && !isWritten) details.push(changedSince(change))
    }
  }
  rights.assertAll()
  if (details.length === 0) return
  const message = `${details.length} items have changed since the transfer was computed; compare again`
  throw new AppError('CONFLICT', message, { details: details.slice(0, maxDetails) })
}

function changedSince(change: PackageChange): ErrorDetail {
  return { path: nameOf(change), code: 'changed', message: 'has changed since the transfer was computed' }
}

interface PresentOptions {
  readonly tx?: Transaction | undefined
  /** The companions of entries; see `PackageHeader`. */
  readonly beside: PackageHeader['beside']
}

/** The existing items, by key, for changes of one section. */
export async function presentItems(
  sections: Sections,
  changes: readonly PlacedChange[],
  { tx, beside = {} }: PresentOptions,
): Promise<ReadonlyMap<string, TransferItem>> {
  const name = changes[0]?.change.section ?? ''
  const section = sections.get(name)
  const keys = changes.map(({ change: { key } }) => key)
  const found = (await section?.find(keys, { tx, beside: beside[name] })) ?? []
  return new Map(found.map((item) => [item.key, item]))
}

/** Groups consecutive changes by section. */
export async function* portionsOf(changes: AsyncIterable<PlacedChange>): AsyncGenerator<PlacedChange[]> {
  let portion: PlacedChange[] = []
  for await (const placed of changes) {
    const isOther = portion.length > 0 && portion[0]?.change.section !== placed.change.section
    if (isOther || portion.length === changesAtOnce) {
      yield portion
      portion = []
    }
    portion.push(placed)
  }
  if (portion.length > 0) yield portion
}
