import type { Audit } from '../../audit/audit.ts'
import type { Auth } from '../../auth/auth.ts'
import { type Database, DatabaseError, type Transaction } from '../../database/database.ts'
import { AppError, type ErrorDetail, type Principal } from '../../http/http.ts'
import type { Agreements, NewAgreement } from '../agreements.ts'
import type { ApplyResult } from '../apply-result.ts'
import type { Environment } from '../environment.ts'
import type { PackageChange, PackageHeader } from '../package/package-change.ts'
import type { LinePlace, PackageFile, PlacedChange } from '../package/package-file.ts'
import type { PackageStore } from '../package/package-store.ts'
import { readableSection, type Section } from '../sections/section.ts'
import { nameOf, type TransferItem } from '../transfer-item.ts'
import type { ApplyContext } from './apply-context.ts'
import { ContentWriter, type ContentWriterDeps } from './content-writer.ts'
import { assertEntryValue } from './entry-value.ts'
import { NeededRights } from './needed-rights.ts'

export interface ApplyDeps extends ContentWriterDeps {
  readonly auth: Auth
  readonly database: Database
  readonly environment: Environment
  readonly agreements: Agreements
  readonly packages: PackageStore
  readonly sections: ReadonlyMap<string, Section>
  readonly audit: Audit | undefined
  readonly maxItems: () => number
}

/** A package to apply, and by whom. */
export interface Application {
  /** The SHA-256 of its text. */
  readonly id: string
  readonly file: PackageFile
  readonly principal: Principal
  readonly ip?: string | undefined
}

/** What the lines of a package are, without their values. */
interface Outline {
  readonly header: PackageHeader
  readonly places: ReadonlyMap<PackageChange['action'], readonly SectionPlaces[]>
}

/** The lines of a section, in the order of the package. */
interface SectionPlaces {
  readonly section: string
  readonly places: readonly LinePlace[]
}

const changesAtOnce = 100
const maxDetails = 100

/**
 * Applies a package in one transaction, or not at all. One that was applied already is not applied again: its result is
 * returned.
 * @throws AppError 400 for a package that is none, 403 with all rights that are missing, 409 with all items that have
 * changed since it was computed, or what the writes of the items throw
 */
export async function applyPackage(deps: ApplyDeps, application: Application): Promise<ApplyResult> {
  const known = await deps.packages.find(application.id)
  if (known?.result != null) return known.result
  const outline = await readOutline(deps, application)
  try {
    return await deps.database.transaction((tx) =>
      applyWithin(deps, application, outline, { tx, atOnce: changesAtOnce }),
    )
  } catch (error) {
    if (!isRefusedTogether(error)) throw error
    // One by one it turns out which of the entries the database refuses.
    return deps.database.transaction((tx) => applyWithin(deps, application, outline, { tx, atOnce: 1 }))
  }
}

/** See `RefusedTogether` of content: several entries were stored with the statement that the database has refused. */
function isRefusedTogether(error: unknown): boolean {
  return error instanceof AppError && error.details === undefined && error.cause instanceof DatabaseError
}

/** Checks everything about a package that can be told without the database. */
async function readOutline(deps: ApplyDeps, { id, file, principal }: Application): Promise<Outline> {
  if ((await file.digest()) !== id) {
    throw new AppError('CONFLICT', 'the package is not complete, or not the one that its id names')
  }
  const header = await file.header()
  if (header.target !== (await deps.environment.id())) {
    throw new AppError('CONFLICT', 'the package was made for another environment; compare again')
  }
  const seen = new Set<string>()
  const places = new Map<PackageChange['action'], Map<string, LinePlace[]>>()
  for await (const { change, ...place } of file.changes()) {
    assertAcceptable(deps, change, place, { principal, seen })
    const ofAction = places.get(change.action) ?? new Map<string, LinePlace[]>()
    places.set(change.action, ofAction)
    const ofSection = ofAction.get(change.section) ?? []
    ofAction.set(change.section, ofSection)
    ofSection.push(place)
  }
  const sorted = [...places].map(([action, ofAction]) => {
    return [action, [...ofAction].map(([section, ofSection]) => ({ section, places: ofSection }))] as const
  })
  return { header, places: new Map(sorted) }
}

interface Acceptance {
  readonly principal: Principal
  /** The names of the items before. */
  readonly seen: Set<string>
}

function assertAcceptable(
  deps: ApplyDeps,
  change: PackageChange,
  { number }: LinePlace,
  { principal, seen }: Acceptance,
): void {
  const name = nameOf(change)
  if (seen.has(name)) {
    const message = `${name} is in the package twice`
    throw AppError.invalid([{ path: `lines.${number}.key`, code: 'duplicate', message }])
  }
  seen.add(name)
  if (seen.size > deps.maxItems()) {
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `a package has at most ${deps.maxItems()} items (transfer.maxItems)`,
    )
  }
  readableSection(deps.sections, change.section, principal)
  assertEntryValue(change)
}

interface Attempt {
  readonly tx: Transaction
  readonly atOnce: number
}

async function applyWithin(
  deps: ApplyDeps,
  application: Application,
  outline: Outline,
  { tx, atOnce }: Attempt,
): Promise<ApplyResult> {
  const { id, principal, ip } = application
  await deps.environment.lock(tx)
  const known = await deps.packages.find(id, tx)
  if (known?.result != null) return known.result
  const context: ApplyContext = { tx, principal, ip }
  await assertUnchanged(deps, application, tx)
  const { header, places } = outline
  const writer = new ContentWriter(
    deps,
    { file: application.file, atOnce, dropsMissing: header.missing === 'drop' },
    context,
  )
  await writer.put(linesOf(places.get('put')))
  await writer.remove(linesOf(places.get('remove')))
  await rememberAll(deps, application, outline, tx)
  const result = resultOf(outline)
  await deps.packages.finish({ id, peer: header.environment, result }, tx)
  const details = { from: header.environment, package: id, sections: result.sections }
  await deps.audit?.record({ action: 'transfer.apply', principal, resource: 'transfer', details, ip }, tx)
  return result
}

const linesOf = (sections: readonly SectionPlaces[] = []) => sections.flatMap(({ places }) => places)

/** Locks what is to be written, and compares it with what the package was computed from. */
async function assertUnchanged(
  deps: ApplyDeps,
  { file, principal }: Application,
  tx: Transaction,
): Promise<void> {
  const rights = new NeededRights(deps.auth, principal)
  const details: ErrorDetail[] = []
  for await (const changes of portionsOf(file.changes())) {
    const present = await presentItems(deps, changes, tx)
    for (const { change } of changes) {
      const item = present.get(change.key)
      rights.note(change, item?.value)
      if ((item?.hash ?? null) !== change.before) details.push(changedSince(change))
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

async function presentItems(
  { sections }: ApplyDeps,
  changes: readonly PlacedChange[],
  tx: Transaction,
): Promise<ReadonlyMap<string, TransferItem>> {
  const section = sections.get(changes[0]?.change.section ?? '')
  const found =
    (await section?.find(
      changes.map(({ change: { key } }) => key),
      tx,
    )) ?? []
  return new Map(found.map((item) => [item.key, item]))
}

/** Changes of one section at a time. */
async function* portionsOf(changes: AsyncIterable<PlacedChange>): AsyncGenerator<PlacedChange[]> {
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

/** What is here may differ from what is at the source, if this environment does not take all of it. */
async function rememberAll(
  deps: ApplyDeps,
  { file }: Application,
  { header, places }: Outline,
  tx: Transaction,
): Promise<void> {
  const at = new Date().toISOString()
  for (const [action, sections] of places) {
    for (const { places: ofSection } of sections) {
      for await (const changes of portionsOf(file.at(ofSection))) {
        const present = action === 'put' ? await presentItems(deps, changes, tx) : undefined
        const agreed = changes.map(
          ({ change: { section, key, before, source } }): NewAgreement => ({
            ...{ section, key, theirs: source },
            own: action === 'agree' ? before : (present?.get(key)?.hash ?? null),
          }),
        )
        await deps.agreements.remember(header.environment, agreed, at, tx)
      }
    }
  }
}

function resultOf({ places }: Outline): ApplyResult {
  const sections: Record<string, { put: number; removed: number; agreed: number }> = {}
  const names = { put: 'put', remove: 'removed', agree: 'agreed' } as const
  for (const [action, ofAction] of places) {
    for (const { section, places: ofSection } of ofAction) {
      sections[section] ??= { put: 0, removed: 0, agreed: 0 }
      sections[section][names[action]] = ofSection.length
    }
  }
  return { sections, appliedAt: new Date().toISOString() }
}
