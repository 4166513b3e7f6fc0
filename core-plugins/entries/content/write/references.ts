import type { Auth } from '../../../accounts/auth/auth.ts'
import type { Queries } from '../../../foundation/database/database.ts'
import { AppError, type ErrorDetail, type Principal } from '../../../foundation/http/http.ts'
import type { ReferenceCheck } from '../entry/entry-extensions.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { CheckedPayload, PayloadReference } from '../payload/payload.ts'
import { maxProblems } from '../payload/report.ts'
import { mayHide, withTrash } from '../query/visibility.ts'
import { callersVisibility, visibilityKey, visibilityOf } from '../read/caller.ts'
import { keep } from '../read/keep.ts'
import type { ReadDeps } from '../read/read-deps.ts'
import { compileVisibleIds, type VisibleIds } from '../read/visible-ids.ts'

/** The ids in a payload by the name of their type. */
export type References = ReadonlyMap<string, readonly PayloadReference[]>

/** Who sends a payload, and the connection to check it on. */
export interface CheckRequest {
  readonly model: EntryModel
  readonly principal: Principal
  readonly queries: Queries
  /** Whether references to entries in the trash are valid. */
  readonly isTrashSeen?: boolean
}

type Checked = Pick<CheckedPayload, 'problems' | 'references'>

export interface ReferenceDeps extends ReadDeps {
  readonly auth: Auth
  /** Complete once all plugins have booted. */
  readonly checks: () => readonly ReferenceCheck[]
}

/** Checks the entries that payloads refer to. */
export class ReferenceChecker {
  readonly #deps: ReferenceDeps
  readonly #finders = new Map<string, VisibleIds>()

  constructor(deps: ReferenceDeps) {
    this.#deps = deps
  }

  /**
   * Reports a malformed payload and, before the write, references that no foreign key checks: ids inside
   * components and zones, entries hidden from the caller, and those that a field does not accept. One query
   * per type that needs it, usually none.
   * @throws AppError 400 with all problems of the shape, and all ids that do not exist
   */
  async check(payload: Checked, check: CheckRequest): Promise<void> {
    const rest = this.#unguarded(payload.references, check)
    const { queries } = check
    const isSound =
      payload.problems.length === 0 &&
      (await this.#missingIn(rest, check)).length === 0 &&
      (await this.#findUnfit(payload.references, queries)).length === 0
    // Report bad references along with the other problems.
    if (!isSound) await this.checkAll(payload, check)
  }

  /** The same for references that no foreign key checks. @throws AppError 400 */
  async checkAll({ problems, references }: Checked, check: Omit<CheckRequest, 'model'>): Promise<void> {
    const missing = await this.#missingIn(references, check)
    const details = [...problems, ...missing, ...(await this.#findUnfit(references, check.queries))]
    if (details.length > 0) throw AppError.invalid(details.slice(0, maxProblems))
  }

  /**
   * The ids that do not exist or are hidden from the caller; called after a foreign key has refused the
   * write.
   */
  findMissing(references: References, principal: Principal, queries: Queries): Promise<ErrorDetail[]> {
    return this.#missingIn(references, { principal, queries })
  }

  /** Whether an entry exists and the caller may see it. */
  async sees(type: string, id: number, check: Omit<CheckRequest, 'model'>): Promise<boolean> {
    const target = this.#targetNamed(type, check)
    if (target === undefined) return false
    return (await this.#finderFor(target, check)([id], new Date().toISOString(), check.queries)).has(id)
  }

  async #missingIn(references: References, check: Omit<CheckRequest, 'model'>): Promise<ErrorDetail[]> {
    const details: ErrorDetail[][] = []
    for (const [name, items] of references) {
      const target = this.#targetNamed(name, check)
      if (target !== undefined) details.push(await this.#missingOf(target, items, check))
    }
    return details.flat()
  }

  async #missingOf(
    target: EntryModel,
    references: readonly PayloadReference[],
    check: Omit<CheckRequest, 'model'>,
  ): Promise<ErrorDetail[]> {
    const ids = references.map(({ id }) => id)
    const found = await this.#finderFor(target, check)(ids, new Date().toISOString(), check.queries)
    return references
      .filter(({ id }) => !found.has(id))
      .map(({ id, path }) => ({
        path,
        code: 'reference',
        message: `there is no ${target.type.name} with id ${id}`,
      }))
  }

  /** Problems that other plugins report about referenced entries. */
  async #findUnfit(references: References, queries: Queries): Promise<ErrorDetail[]> {
    const details: (readonly ErrorDetail[])[] = []
    for (const { target, check } of this.#deps.checks()) {
      const named = references.get(target)
      if (named !== undefined) details.push(await check(named, queries))
    }
    return details.flat()
  }

  /** References that no foreign key of the entry checks. */
  #unguarded(references: References, check: CheckRequest): References {
    const { model, principal } = check
    const rest = new Map<string, readonly PayloadReference[]>()
    for (const [name, items] of references) {
      const target = this.#targetNamed(name, check)
      const isHidden =
        target !== undefined && mayHide(target.type, callersVisibility(principal, this.#deps.auth))
      const chosen = isHidden ? items : items.filter(({ path }) => !hasForeignKey(model, path))
      if (chosen.length > 0) rest.set(name, chosen)
    }
    return rest
  }

  #targetNamed(name: string, { isTrashSeen = false }: Pick<CheckRequest, 'isTrashSeen'>) {
    const model = this.#deps.models.get(name)
    return model !== undefined && isTrashSeen ? { ...model, type: withTrash(model.type) } : model
  }

  #finderFor(
    target: EntryModel,
    { principal, isTrashSeen = false }: Omit<CheckRequest, 'model'>,
  ): VisibleIds {
    const { auth } = this.#deps
    const types = [target.type]
    const key = `${target.type.name} ${visibilityKey(principal, types, auth)} ${isTrashSeen}`
    return keep(this.#finders, key, () =>
      compileVisibleIds(target, visibilityOf(principal, types, auth), this.#deps),
    )
  }
}

/** Relations and media of the entry itself have one; references stored inside JSON do not. */
function hasForeignKey(model: EntryModel, path: string): boolean {
  const type = model.type.attributes.get(path.split('.')[0] ?? '')?.type
  return type === 'relation' || type === 'media'
}
