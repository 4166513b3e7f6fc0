import { AppError, type Principal } from '../../../foundation/http/http.ts'
import type { Section, Value } from '../../../foundation/sections/sections.ts'
import type { PackageChange } from '../package/package-change.ts'

/** Collects the rights that changes require, and refuses callers who lack any of them. */
export class NeededRights {
  readonly #principal: Principal
  /** Missing rights in words, by section. */
  readonly #missing = new Map<string, Set<string>>()

  constructor(principal: Principal) {
    this.#principal = principal
  }

  /** `present` is the value of the item here; undefined if there is none. */
  note(
    section: Section | undefined,
    { action, key, value }: PackageChange,
    present: Value | undefined,
  ): void {
    if (action === 'agree' || section === undefined) return
    for (const right of section.missingRights(this.#principal, { action, key, value, present })) {
      const ofSection = this.#missing.get(section.name) ?? new Set<string>()
      this.#missing.set(section.name, ofSection)
      ofSection.add(right)
    }
  }

  /** @throws AppError 403 with all that is missing */
  assertAll(): void {
    if (this.#missing.size === 0) return
    const details = [...this.#missing].map(([path, rights]) => ({
      ...{ path, code: 'forbidden' },
      message: `takes ${[...rights].join(', ')}`,
    }))
    const message = `your rights do not cover ${[...this.#missing.keys()].join(', ')}`
    throw AppError.forbidden(message, { details })
  }
}
