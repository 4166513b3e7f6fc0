import type { Audit } from '../../../background/audit/audit.ts'
import { type Database, DatabaseError, type Transaction } from '../../../foundation/database/database.ts'
import { AppError, type Principal } from '../../../foundation/http/http.ts'
import type { Section } from '../../../foundation/sections/sections.ts'
import type { Agreements, NewAgreement } from '../agreements.ts'
import type { ApplyResult } from '../apply-result.ts'
import type { Environment } from '../environment.ts'
import type { LinePlace, PackageFile, PlacedChange } from '../package/package-file.ts'
import type { PackageStore } from '../package/package-store.ts'
import type { ReceivedFolder } from '../package/received-folder.ts'
import { isContributed, refusalToAgree } from '../sections/readable-section.ts'
import { ContentWriter, type ContentWriterDeps } from './content-writer.ts'
import { beginContributed, type ContributedChanges } from './contributed-changes.ts'
import { type Outline, readOutline, resultOf } from './outline.ts'
import { assertUnchanged, portionsOf, presentItems } from './present-items.ts'
import { writeBeside } from './write-beside.ts'

export interface ApplyDeps extends ContentWriterDeps {
  readonly database: Database
  readonly environment: Environment
  readonly agreements: Agreements
  readonly packages: PackageStore
  /** The files of media that have arrived. */
  readonly files: ReceivedFolder
  /** All of them, in the order in which they are written. */
  readonly sections: () => ReadonlyMap<string, Section>
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

const changesAtOnce = 100

/**
 * Applies a package in one transaction, or not at all. One that was applied already is not applied again: its result is
 * returned.
 * @throws AppError 400 for a package that is none, 403 with all rights that are missing, 409 with all items that have
 * changed since it was computed, or what the writes of the items throw
 */
export async function applyPackage(deps: ApplyDeps, application: Application): Promise<ApplyResult> {
  const { id, file, principal } = application
  const known = await deps.packages.find(id)
  if (known?.result != null) return known.result
  const sections = deps.sections()
  const outline = await readOutline(id, file, {
    ...{ sections, principal, maxItems: deps.maxItems() },
    environment: () => deps.environment.id(),
  })
  assertOneStep(sections, outline)
  // Files are checked before the transaction, so whether the caller may have them checked is asked before that.
  await assertUnchanged(sections, file.at(contributedPlaces(sections, outline)), {
    principal,
    beside: outline.header.beside,
  })
  const contributed = await beginContributed(outline, {
    ...{ sections, file, files: deps.files, principal, ip: application.ip },
  })
  const work = { ...application, sections, outline, contributed }
  try {
    const result = await inOneTransaction(deps, work)
    await deps.files.remove([...contributed.files])
    return result
  } catch (error) {
    await contributed.abandon()
    throw error
  }
}

interface Work extends Application {
  readonly sections: ReadonlyMap<string, Section>
  readonly outline: Outline
  readonly contributed: ContributedChanges
}

async function inOneTransaction(deps: ApplyDeps, work: Work): Promise<ApplyResult> {
  const apply = (atOnce: number) => deps.database.transaction((tx) => applyWithin(deps, work, { tx, atOnce }))
  try {
    return await apply(changesAtOnce)
  } catch (error) {
    if (!isRefusedTogether(error)) throw error
    // One by one it turns out which of the entries the database refuses.
    return apply(1)
  }
}

/** See `RefusedTogether` of content: several entries were stored with the statement that the database has refused. */
function isRefusedTogether(error: unknown): boolean {
  return error instanceof AppError && error.details === undefined && error.cause instanceof DatabaseError
}

function contributedPlaces(sections: Work['sections'], { puts, removals }: Outline): LinePlace[] {
  return [...sections.values()].filter(isContributed).flatMap(({ name }) => placesOf(name, puts, removals))
}

/** Whether the package is one of a section that is no part of a transaction: that was written before it. */
function isStep(sections: Work['sections'], { puts, removals }: Outline): boolean {
  return [...puts.keys(), ...removals.keys()].some((name) => isStepSection(sections.get(name)))
}

const isStepSection = (section: Section | undefined) => isContributed(section) && section.isStep === true

/** @throws AppError 400 for a package of which a part could be applied without the other */
function assertOneStep(sections: Work['sections'], outline: Outline): void {
  const names = new Set([...outline.puts.keys(), ...outline.removals.keys()])
  if (names.size < 2 || !isStep(sections, outline)) return
  const steps = [...names].filter((name) => isStepSection(sections.get(name)))
  const message = 'cannot be applied together with other sections; transfer it first'
  throw AppError.invalid(steps.map((path) => ({ path, code: 'alone', message })))
}

const placesOf = (section: string, ...places: readonly Outline['puts'][]) =>
  places.flatMap((ofAction) => ofAction.get(section) ?? [])

const contentPlaces = (sections: Work['sections'], places: Outline['puts']) =>
  [...places].filter(([name]) => !isContributed(sections.get(name))).flatMap(([, ofSection]) => ofSection)

interface Attempt {
  readonly tx: Transaction
  readonly atOnce: number
}

async function applyWithin(deps: ApplyDeps, work: Work, { tx, atOnce }: Attempt): Promise<ApplyResult> {
  const { id, file, principal, ip, outline, sections } = work
  await deps.environment.lock(tx)
  const known = await deps.packages.find(id, tx)
  if (known?.result != null) {
    tx.afterCommit(() => work.contributed.abandon())
    return known.result
  }
  if (!isStep(sections, outline)) {
    await assertUnchanged(sections, file.changes(), { principal, tx, beside: outline.header.beside })
  }
  await writeAll(deps, work, { tx, atOnce })
  // What follows from the writes, such as that translations are outdated, is written when they are done.
  tx.beforeCommit(async () => {
    const by = { tx, principal, ip }
    await writeBeside(deps, { file, sections, outline, places: contentPlaces(sections, outline.puts) }, by)
    await rememberAll(deps, work, tx)
  })
  const result = resultOf(outline)
  const { environment: peer } = outline.header
  await deps.packages.finish({ id, peer, result }, tx)
  const details = { from: peer, package: id, sections: result.sections }
  await deps.audit?.record({ action: 'transfer.apply', principal, resource: 'transfer', details, ip }, tx)
  return result
}

/** What others may refer to comes first, and goes last. */
async function writeAll(deps: ApplyDeps, work: Work, { tx, atOnce }: Attempt): Promise<void> {
  const { file, principal, ip, outline, sections, contributed } = work
  const dropsMissing = outline.header.missing === 'drop'
  const write = { tx, principal, ip, dropsMissing }
  const content = new ContentWriter(deps, { file, atOnce, dropsMissing }, { tx, principal, ip })
  await contributed.put(true, write)
  await content.put(contentPlaces(sections, outline.puts))
  await contributed.put(false, write)
  await contributed.complete(write)
  await contributed.remove(false, write)
  await content.remove(contentPlaces(sections, outline.removals))
  await contributed.remove(true, write)
}

/** What is here may differ from what is at the source, if this environment does not take all of it. */
async function rememberAll(deps: ApplyDeps, work: Work, tx: Transaction): Promise<void> {
  const { file, sections, outline } = work
  const at = new Date().toISOString()
  const remember = (
    changes: readonly PlacedChange[],
    ownOf: (change: PlacedChange['change']) => string | null,
  ) => {
    const agreed = changes.map(
      ({ change }): NewAgreement => ({
        ...{ section: change.section, key: change.key, theirs: change.source },
        own: ownOf(change),
      }),
    )
    return deps.agreements.remember(outline.header.environment, agreed, at, tx)
  }
  const portionsIn = (places: Outline['puts']) => portionsOf(file.at([...places.values()].flat()))
  // Agreements on what the caller may not write are left to others.
  const agreeable = [...outline.agreements].filter(([name]) => {
    const section = sections.get(name)
    return section !== undefined && refusalToAgree(section, work.principal) === undefined
  })
  for await (const changes of portionsIn(outline.puts)) {
    const present = await presentItems(sections, changes, { tx, beside: outline.header.beside })
    await remember(changes, ({ key }) => present.get(key)?.hash ?? null)
  }
  for await (const changes of portionsIn(outline.removals)) await remember(changes, () => null)
  for await (const changes of portionsIn(new Map(agreeable))) await remember(changes, ({ before }) => before)
}
