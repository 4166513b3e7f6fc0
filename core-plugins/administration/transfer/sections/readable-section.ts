import { AppError, type Principal } from '../../../foundation/http/http.ts'
import type { Section, TransferSection } from '../../../foundation/sections/sections.ts'

/** Finds a section. Callers that may not read all sections do not learn whether it exists. @throws AppError 403, 404 */
export function readableSection(
  sections: ReadonlyMap<string, Section>,
  name: string,
  principal: Principal,
): Section {
  const section = sections.get(name)
  if (section?.mayRead(principal) === true) return section
  if (section === undefined && [...sections.values()].every((each) => each.mayRead(principal))) {
    throw AppError.notFound(`the section ${name}`)
  }
  const takes = section?.readingTakes ?? `to read ${name.split(':', 2).at(-1)} with drafts`
  throw AppError.forbidden(`the section ${name} takes the right ${takes}, if there is one`)
}

/**
 * The reason why the caller may not store agreements, such as `takes the right to update`. Agreements determine which side has
 * changed an item, and so what the next transfer writes; they require the permission to write.
 */
export function refusalToAgree(section: Section, principal: Principal): string | undefined {
  if (isContributed(section)) return section.refusal(principal)
  const update = { key: '', action: 'put', value: undefined, present: {} } as const
  const [missing] = section.missingRights(principal, update)
  return missing === undefined ? undefined : `takes ${missing}`
}

/** Sections of plugins, as opposed to those of entries, which are written together. */
export function isContributed(section: Section | undefined): section is TransferSection {
  return section !== undefined && 'begin' in section
}
