import type { Auth } from '../../auth/auth.ts'
import type { Queries } from '../../database/database.ts'
import { AppError, type ErrorDetail, type Principal } from '../../http/http.ts'
import type { EntryModel } from '../entry-model.ts'
import type { PayloadReference } from '../payload/payload.ts'
import type { ReadScope } from '../read/compiled-read.ts'
import { compileVisibleIds, type VisibleIds } from '../read/visible-ids.ts'

/** The ids of a payload by the name of their type. */
export type References = ReadonlyMap<string, readonly PayloadReference[]>

export interface ReferenceChecker {
  /**
   * Checks, before the write, what no foreign key will: ids inside components and zones, and entries that
   * are there but hidden from the caller. One query per type that needs it, usually none.
   * @throws AppError 400 with the path of every id that names nothing
   */
  checkUnguarded(
    model: EntryModel,
    references: References,
    principal: Principal,
    queries: Queries,
  ): Promise<void>
  /** What is wrong after a foreign key has refused the write: the ids that name nothing. */
  findMissing(references: References, principal: Principal, queries: Queries): Promise<ErrorDetail[]>
}

export function createReferenceChecker(scope: ReadScope & { readonly auth: Auth }): ReferenceChecker {
  const { models, auth } = scope
  const finders = new Map<string, VisibleIds>()

  function finderFor(target: EntryModel, principal: Principal): VisibleIds {
    const seesDrafts = auth.seesDrafts(principal, target.type.name)
    const key = `${target.type.name} ${seesDrafts}`
    const finder = finders.get(key) ?? compileVisibleIds(target, { seesDrafts: () => seesDrafts }, scope)
    finders.set(key, finder)
    return finder
  }

  async function missingOf(
    target: EntryModel,
    references: readonly PayloadReference[],
    principal: Principal,
    queries: Queries,
  ): Promise<ErrorDetail[]> {
    const ids = references.map(({ id }) => id)
    const found = await finderFor(target, principal)(ids, new Date().toISOString(), queries)
    return references
      .filter(({ id }) => !found.has(id))
      .map(({ id, path }) => ({
        path,
        code: 'reference',
        message: `there is no ${target.type.name} with id ${id}`,
      }))
  }

  async function missing(
    references: References,
    principal: Principal,
    queries: Queries,
  ): Promise<ErrorDetail[]> {
    const details: ErrorDetail[] = []
    for (const [name, items] of references) {
      const target = models.get(name)
      if (target !== undefined) details.push(...(await missingOf(target, items, principal, queries)))
    }
    return details
  }

  function isHiddenFrom(target: EntryModel | undefined, principal: Principal): boolean {
    if (target === undefined) return false
    const { draftAndPublish, softDelete } = target.type.options
    return softDelete || (draftAndPublish && !auth.seesDrafts(principal, target.type.name))
  }

  function unguarded(model: EntryModel, references: References, principal: Principal): References {
    const rest = new Map<string, readonly PayloadReference[]>()
    for (const [name, items] of references) {
      const isHidden = isHiddenFrom(models.get(name), principal)
      const chosen = isHidden ? items : items.filter(({ path }) => !hasForeignKey(model, path))
      if (chosen.length > 0) rest.set(name, chosen)
    }
    return rest
  }

  return {
    async checkUnguarded(model, references, principal, queries) {
      const rest = unguarded(model, references, principal)
      if (rest.size === 0) return
      const details = await missing(rest, principal, queries)
      if (details.length > 0) throw AppError.invalid(details)
    },
    findMissing: missing,
  }
}

/** Relations and media of the entry itself have one; what stands inside JSON has none. */
function hasForeignKey(model: EntryModel, path: string): boolean {
  const type = model.type.attributes.get(path.split('.')[0] ?? '')?.type
  return type === 'relation' || type === 'media'
}
