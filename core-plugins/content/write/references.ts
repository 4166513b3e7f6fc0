import type { Auth } from '../../auth/auth.ts'
import type { Queries } from '../../database/database.ts'
import { AppError, type ErrorDetail, type Principal } from '../../http/http.ts'
import type { ContentType } from '../../schemas/schemas.ts'
import type { WriteContext } from '../content.ts'
import type { ReferenceJudge } from '../entry-extensions.ts'
import { type EntryModel, isReference, targetNameOf } from '../entry-model.ts'
import type { CheckedPayload, PayloadReference } from '../payload/payload.ts'
import { maxProblems } from '../payload/report.ts'
import { isClosed } from '../query/visibility.ts'
import { visibilityKey, visibilityOf } from '../read/caller.ts'
import type { ReadScope } from '../read/compiled-read.ts'
import { compileVisibleIds, type VisibleIds } from '../read/visible-ids.ts'

/** The ids of a payload by the name of their type. */
export type References = ReadonlyMap<string, readonly PayloadReference[]>

/** Where a payload comes from, and where to. */
export interface Judgement {
  readonly model: EntryModel
  readonly principal: Principal
  readonly queries: Queries
}

type Judged = Pick<CheckedPayload, 'problems' | 'references'>

export interface ReferenceChecker {
  /**
   * A change without what empties relations whose other side is closed to the caller. They are shown as empty, so that
   * whoever sends back what was read would lose them.
   */
  withoutClosed(model: EntryModel, data: WriteContext['data'], principal: Principal): WriteContext['data']
  /**
   * Refuses a payload whose shape is wrong, and before the write what no foreign key will: ids inside components and
   * zones, entries that are there but hidden from the caller, and such as the field does not take. One query per type
   * that needs it, usually none.
   * @throws AppError 400 with all problems: of the shape, and of every id that names nothing
   */
  check(payload: Judged, judgement: Judgement): Promise<void>
  /** The same where no foreign key is going to look. @throws AppError 400 */
  checkAll(payload: Judged, judgement: Omit<Judgement, 'model'>): Promise<void>
  /** What is wrong after a foreign key has refused the write: the ids that name nothing. */
  findMissing(references: References, principal: Principal, queries: Queries): Promise<ErrorDetail[]>
}

export interface ReferenceScope extends ReadScope {
  readonly auth: Auth
  readonly judges: () => readonly ReferenceJudge[]
}

export function createReferenceChecker(scope: ReferenceScope): ReferenceChecker {
  const { models, auth, judges } = scope
  const finders = new Map<string, VisibleIds>()
  const relations = new Map<EntryModel, readonly { name: string; target: EntryModel }[]>()

  function finderFor(target: EntryModel, principal: Principal): VisibleIds {
    const types = [target.type]
    const key = `${target.type.name} ${visibilityKey(principal, types, auth)}`
    const finder = finders.get(key) ?? compileVisibleIds(target, visibilityOf(principal, types, auth), scope)
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
    const details: ErrorDetail[][] = []
    for (const [name, items] of references) {
      const target = models.get(name)
      if (target !== undefined) details.push(await missingOf(target, items, principal, queries))
    }
    return details.flat()
  }

  function isHiddenFrom(target: EntryModel | undefined, principal: Principal): boolean {
    if (target === undefined) return false
    const { draftAndPublish, softDelete } = target.type.options
    if (isClosedTo(target.type, principal)) return true
    return softDelete || (draftAndPublish && !auth.seesDrafts(principal, target.type.name))
  }

  function relationsOf(model: EntryModel) {
    const known = relations.get(model)
    if (known !== undefined) return known
    const found = [...model.type.attributes.values()].flatMap((attribute) => {
      const target = isReference(attribute) ? models.get(targetNameOf(attribute)) : undefined
      return target === undefined || target.type.system ? [] : [{ name: attribute.name, target }]
    })
    relations.set(model, found)
    return found
  }

  function isClosedTo(type: ContentType, principal: Principal): boolean {
    return isClosed(type, { mayRead: ({ name }) => auth.mayContent(principal, name, 'read') })
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

  async function unfit(references: References, queries: Queries): Promise<ErrorDetail[]> {
    const details: (readonly ErrorDetail[])[] = []
    for (const { target, judge } of judges()) {
      const named = references.get(target)
      if (named !== undefined) details.push(await judge(named, queries))
    }
    return details.flat()
  }

  const checkAll: ReferenceChecker['checkAll'] = async ({ problems, references }, { principal, queries }) => {
    const nothing = await missing(references, principal, queries)
    const details = [...problems, ...nothing, ...(await unfit(references, queries))]
    if (details.length > 0) throw AppError.invalid(details.slice(0, maxProblems))
  }

  return {
    withoutClosed(model, data, principal) {
      const emptied = relationsOf(model).filter(
        ({ name, target }) => isEmptied(data[name]) && isClosedTo(target.type, principal),
      )
      if (emptied.length === 0) return data
      const names = new Set(emptied.map(({ name }) => name))
      return Object.fromEntries(Object.entries(data).filter(([name]) => !names.has(name)))
    },
    async check(payload, judgement) {
      const { model, principal, queries } = judgement
      const rest = unguarded(model, payload.references, principal)
      const isSound =
        payload.problems.length === 0 &&
        (await missing(rest, principal, queries)).length === 0 &&
        (await unfit(payload.references, queries)).length === 0
      // Whatever is wrong besides is told along.
      if (!isSound) await checkAll(payload, judgement)
    },
    checkAll,
    findMissing: missing,
  }
}

function isEmptied(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0)
}

/** Relations and media of the entry itself have one; what stands inside JSON has none. */
function hasForeignKey(model: EntryModel, path: string): boolean {
  const type = model.type.attributes.get(path.split('.')[0] ?? '')?.type
  return type === 'relation' || type === 'media'
}
