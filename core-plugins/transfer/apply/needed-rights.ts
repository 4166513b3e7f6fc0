import type { Auth, ContentAction } from '../../auth/auth.ts'
import { AppError, type Principal } from '../../http/http.ts'
import type { Value } from '../canonical.ts'
import type { PackageChange } from '../package/package-change.ts'
import { typeOfSection } from '../sections/section-names.ts'

/** Collects what changes take, and refuses whoever may not do all of it. */
export class NeededRights {
  readonly #auth: Auth
  readonly #principal: Principal
  /** In words, by section. */
  readonly #missing = new Map<string, Set<string>>()

  constructor(auth: Auth, principal: Principal) {
    this.#auth = auth
    this.#principal = principal
  }

  /** `present` is the value of the item here; undefined if there is none. */
  note({ section, action, value }: PackageChange, present: Value | undefined): void {
    if (action === 'agree') return
    const type = typeOfSection(section) ?? section
    for (const right of rightsFor({ action, value, present })) {
      if (!this.#auth.mayContent(this.#principal, type, right)) this.#miss(section, `the right to ${right}`)
    }
  }

  /** @throws AppError 403 with all that is missing */
  assertAll(): void {
    if (this.#missing.size === 0) return
    const details = [...this.#missing].map(([path, rights]) => ({
      ...{ path, code: 'forbidden' },
      message: `takes ${[...rights].join(', ')}`,
    }))
    throw AppError.forbidden(`your rights do not cover ${[...this.#missing.keys()].join(', ')}`, { details })
  }

  #miss(section: string, right: string): void {
    const rights = this.#missing.get(section) ?? new Set<string>()
    this.#missing.set(section, rights)
    rights.add(right)
  }
}

interface Change {
  readonly action: 'put' | 'remove'
  readonly value?: Value | undefined
  readonly present: Value | undefined
}

function rightsFor({ action, value, present }: Change): ReadonlySet<ContentAction> {
  if (action === 'remove') return new Set(['delete'])
  const rights = new Set<ContentAction>([present === undefined ? 'create' : 'update'])
  // Versions of an entry share values, so another one changes them all.
  if (typeof value?.source === 'string') rights.add('update')
  // Whatever is or becomes public is changed in public.
  if ([value, present].some((each) => typeof each?.published_at === 'string')) rights.add('publish')
  return rights
}
