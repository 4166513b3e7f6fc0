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
    const type = typeOfSection(section)
    const isMet =
      type === undefined
        ? this.#mayWrite(section, action)
        : this.#contentRights(type, { action, value, present })
    for (const [right, isGiven] of isMet) if (!isGiven) this.#miss(section, right)
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

  #contentRights(
    type: string,
    {
      action,
      value,
      present,
    }: { readonly action: 'put' | 'remove' } & { value?: Value | undefined; present: Value | undefined },
  ): [string, boolean][] {
    const wanted = new Set<ContentAction>()
    if (action === 'remove') wanted.add('delete')
    else wanted.add(present === undefined ? 'create' : 'update')
    // Whatever is or becomes public is changed in public.
    const isPublic = [value, present].some((each) => typeof each?.published_at === 'string')
    if (action === 'put' && isPublic) wanted.add('publish')
    return [...wanted].map((right) => [
      `the right to ${right} ${type}`,
      this.#auth.mayContent(this.#principal, type, right),
    ])
  }

  #mayWrite(section: string, action: 'put' | 'remove'): [string, boolean][] {
    if (section === 'media' || section === 'media-folders') {
      const right = action === 'put' ? 'write' : 'delete'
      return [[`the right to ${right} media`, this.#auth.mayMedia(this.#principal, right)]]
    }
    const scopes = areaScopes[section] ?? ['admin:*']
    return scopes.map((scope) => [scope, this.#auth.mayAdminister(this.#principal, scope)])
  }
}

const areaScopes: Readonly<Record<string, readonly string[]>> = {
  roles: ['admin:roles:write'],
  settings: ['admin:config:write'],
  webhooks: ['webhooks:write'],
  schemas: ['admin:schemas:write', 'admin:database:write'],
}
