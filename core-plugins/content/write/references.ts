import type { Auth } from '../../auth/auth.ts'
import type { Queries } from '../../database/database.ts'
import { AppError, type ErrorDetail, type Principal } from '../../http/http.ts'
import { type ContentType, isReference, targetNameOf } from '../../schemas/schemas.ts'
import type { ReferenceCheck } from '../entry-extensions.ts'
import type { EntryModel } from '../entry-model.ts'
import type { CheckedPayload, PayloadReference } from '../payload/payload.ts'
import { maxProblems } from '../payload/report.ts'
import { isClosed } from '../query/visibility.ts'
import { visibilityKey, visibilityOf } from '../read/caller.ts'
import { keep } from '../read/keep.ts'
import type { ReadDeps } from '../read/read-deps.ts'
import { compileVisibleIds, type VisibleIds } from '../read/visible-ids.ts'
import type { WriteContext } from '../write-context.ts'

/** The ids in a payload by the name of their type. */
export type References = ReadonlyMap<string, readonly PayloadReference[]>

/** Who sends a payload, and the connection to check it on. */
export interface CheckRequest {
  readonly model: EntryModel
  readonly principal: Principal
  readonly queries: Queries
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
  readonly #relations = new Map<EntryModel, readonly { name: string; target: EntryModel }[]>()

  constructor(deps: ReferenceDeps) {
    this.#deps = deps
  }

  /**
   * Removes from a change what empties relations whose target type the caller cannot read. Those are shown as
   * empty, so a client that sends back what it read would clear them.
   */
  withoutClosed(model: EntryModel, data: WriteContext['data'], principal: Principal): WriteContext['data'] {
    const emptied = this.#relationsOf(model).filter(
      ({ name, target }) => isEmptied(data[name]) && this.#isClosedTo(target.type, principal),
    )
    if (emptied.length === 0) return data
    const names = new Set(emptied.map(({ name }) => name))
    return Object.fromEntries(Object.entries(data).filter(([name]) => !names.has(name)))
  }

  /**
   * Reports a malformed payload and, before the write, references that no foreign key checks: ids inside
   * components and zones, entries hidden from the caller, and those that a field does not accept. One query
   * per type that needs it, usually none.
   * @throws AppError 400 with all problems of the shape, and all ids that do not exist
   */
  async check(payload: Checked, check: CheckRequest): Promise<void> {
    const { model, principal, queries } = check
    const rest = this.#unguarded(model, payload.references, principal)
    const isSound =
      payload.problems.length === 0 &&
      (await this.findMissing(rest, principal, queries)).length === 0 &&
      (await this.#findUnfit(payload.references, queries)).length === 0
    // Report bad references along with the other problems.
    if (!isSound) await this.checkAll(payload, check)
  }

  /** The same where no foreign key applies. @throws AppError 400 */
  async checkAll(
    { problems, references }: Checked,
    { principal, queries }: Omit<CheckRequest, 'model'>,
  ): Promise<void> {
    const missing = await this.findMissing(references, principal, queries)
    const details = [...problems, ...missing, ...(await this.#findUnfit(references, queries))]
    if (details.length > 0) throw AppError.invalid(details.slice(0, maxProblems))
  }

  /**
   * The ids that do not exist or are hidden from the caller; called after a foreign key has refused the
   * write.
   */
  async findMissing(references: References, principal: Principal, queries: Queries): Promise<ErrorDetail[]> {
    const details: ErrorDetail[][] = []
    for (const [name, items] of references) {
      const target = this.#deps.models.get(name)
      if (target !== undefined) details.push(await this.#missingOf(target, items, principal, queries))
    }
    return details.flat()
  }

  async #missingOf(
    target: EntryModel,
    references: readonly PayloadReference[],
    principal: Principal,
    queries: Queries,
  ): Promise<ErrorDetail[]> {
    const ids = references.map(({ id }) => id)
    const found = await this.#finderFor(target, principal)(ids, new Date().toISOString(), queries)
    return references
      .filter(({ id }) => !found.has(id))
      .map(({ id, path }) => ({
        path,
        code: 'reference',
        message: `there is no ${target.type.name} with id ${id}`,
      }))
  }

  /** Problems that other plugins report about existing entries. */
  async #findUnfit(references: References, queries: Queries): Promise<ErrorDetail[]> {
    const details: (readonly ErrorDetail[])[] = []
    for (const { target, check } of this.#deps.checks()) {
      const named = references.get(target)
      if (named !== undefined) details.push(await check(named, queries))
    }
    return details.flat()
  }

  /** References that no foreign key of the entry checks. */
  #unguarded(model: EntryModel, references: References, principal: Principal): References {
    const rest = new Map<string, readonly PayloadReference[]>()
    for (const [name, items] of references) {
      const isHidden = this.#isHiddenFrom(this.#deps.models.get(name), principal)
      const chosen = isHidden ? items : items.filter(({ path }) => !hasForeignKey(model, path))
      if (chosen.length > 0) rest.set(name, chosen)
    }
    return rest
  }

  #isHiddenFrom(target: EntryModel | undefined, principal: Principal): boolean {
    if (target === undefined) return false
    const { draftAndPublish, softDelete } = target.type.options
    if (this.#isClosedTo(target.type, principal)) return true
    return softDelete || (draftAndPublish && !this.#deps.auth.seesDrafts(principal, target.type.name))
  }

  #isClosedTo(type: ContentType, principal: Principal): boolean {
    return isClosed(type, { mayRead: ({ name }) => this.#deps.auth.mayContent(principal, name, 'read') })
  }

  #finderFor(target: EntryModel, principal: Principal): VisibleIds {
    const { auth } = this.#deps
    const types = [target.type]
    const key = `${target.type.name} ${visibilityKey(principal, types, auth)}`
    return keep(this.#finders, key, () =>
      compileVisibleIds(target, visibilityOf(principal, types, auth), this.#deps),
    )
  }

  #relationsOf(model: EntryModel) {
    return keep(this.#relations, model, () =>
      [...model.type.attributes.values()].flatMap((attribute) => {
        const target = isReference(attribute) ? this.#deps.models.get(targetNameOf(attribute)) : undefined
        return target === undefined || target.type.system ? [] : [{ name: attribute.name, target }]
      }),
    )
  }
}

function isEmptied(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

/** Relations and media of the entry itself have one; references stored inside JSON do not. */
function hasForeignKey(model: EntryModel, path: string): boolean {
  const type = model.type.attributes.get(path.split('.')[0] ?? '')?.type
  return type === 'relation' || type === 'media'
}
