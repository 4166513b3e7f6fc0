import { AppError, type Principal } from '../../../foundation/http/http.ts'
import { nameOf, type Section } from '../../../foundation/sections/sections.ts'
import type { ApplyResult } from '../apply-result.ts'
import type { PackageChange, PackageHeader } from '../package/package-change.ts'
import type { LinePlace, PackageFile } from '../package/package-file.ts'
import { companionsNamed } from '../sections/beside.ts'
import type { EntryValue } from '../sections/entry-reader.ts'
import { isContributed, readableSection } from '../sections/readable-section.ts'

/** The lines of a package without their values. */
export interface Outline {
  readonly header: PackageHeader
  readonly puts: ReadonlyMap<string, readonly LinePlace[]>
  readonly removals: ReadonlyMap<string, readonly LinePlace[]>
  readonly agreements: ReadonlyMap<string, readonly LinePlace[]>
}

export interface OutlineDeps {
  /** The id of this environment. */
  environment(): Promise<string>
  readonly sections: ReadonlyMap<string, Section>
  readonly maxItems: number
  readonly principal: Principal
}

/** Checks everything about a package that does not depend on the content of this environment. @throws AppError 400, 403, 409, 413 */
export async function readOutline(id: string, file: PackageFile, deps: OutlineDeps): Promise<Outline> {
  if ((await file.digest()) !== id) {
    throw new AppError('CONFLICT', 'the package is not complete, or not the one that its id names')
  }
  const header = await file.header()
  assertBeside(header, deps)
  if (header.target !== (await deps.environment())) {
    throw new AppError('CONFLICT', 'the package was made for another environment; compare again')
  }
  const seen = new Set<string>()
  const places = { put: new Map(), remove: new Map(), agree: new Map() } as Record<
    PackageChange['action'],
    Map<string, LinePlace[]>
  >
  for await (const { change, ...place } of file.changes()) {
    assertAcceptable(change, place, seen, { ...deps, header })
    const ofAction = places[change.action]
    const ofSection = ofAction.get(change.section) ?? []
    ofAction.set(change.section, ofSection)
    ofSection.push(place)
  }
  return { header, puts: places.put, removals: places.remove, agreements: places.agree }
}

/** Checks that the companions in the package exist here. @throws AppError 400, 403, 404 */
function assertBeside({ beside = {} }: PackageHeader, { sections, principal }: OutlineDeps): void {
  for (const [name, names] of Object.entries(beside)) {
    companionsNamed(readableSection(sections, name, principal).companions ?? [], names)
  }
}

function assertAcceptable(
  change: PackageChange,
  { number }: LinePlace,
  seen: Set<string>,
  { sections, maxItems, principal, header }: OutlineDeps & { readonly header: PackageHeader },
): void {
  const name = nameOf(change)
  if (seen.has(name)) {
    const message = `${name} is in the package twice`
    throw AppError.invalid([{ path: `lines.${number}.key`, code: 'duplicate', message }])
  }
  seen.add(name)
  if (seen.size > maxItems) {
    throw new AppError('PAYLOAD_TOO_LARGE', `a package has at most ${maxItems} items (transfer.maxItems)`)
  }
  const section = readableSection(sections, change.section, principal)
  const { key, value } = change
  if (value === undefined) return
  section.assertForm({ section: section.name, key, value })
  const compared = header.beside?.[section.name] ?? []
  const other = Object.keys((value as EntryValue).beside ?? {}).find((each) => !compared.includes(each))
  if (other === undefined || isContributed(section)) return
  const message = 'is not among what the first line says of the section'
  throw AppError.invalid([{ path: `${name}.beside.${other}`, code: 'unknown', message }])
}

/** The outcome for the items. */
export function resultOf({ puts, removals, agreements }: Outline): ApplyResult {
  const sections: Record<string, { put: number; removed: number; agreed: number }> = {}
  const count = (name: 'put' | 'removed' | 'agreed', places: Outline['puts']) => {
    for (const [section, { length }] of places) {
      sections[section] ??= { put: 0, removed: 0, agreed: 0 }
      sections[section][name] = length
    }
  }
  count('put', puts)
  count('removed', removals)
  count('agreed', agreements)
  return { sections, appliedAt: new Date().toISOString() }
}
