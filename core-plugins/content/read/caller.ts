import type { Auth } from '../../auth/auth.ts'
import { AppError, type Principal } from '../../http/http.ts'
import type { ContentType } from '../../schemas/schemas.ts'
import type { EntryModel } from '../entry-model.ts'
import { InvalidQuery, type ReadQuery } from '../query/read-query.ts'
import type { Visibility } from '../query/visibility.ts'

export interface CallerScope {
  readonly auth: Auth
  readonly models: ReadonlyMap<string, EntryModel>
}

/** One character a type: what the caller may see of it. */
export function visibilityKey(principal: Principal, types: readonly ContentType[], auth: Auth): string {
  let key = ''
  for (const { name } of types) {
    key += auth.seesDrafts(principal, name) ? 'd' : auth.mayContent(principal, name, 'read') ? 'p' : '-'
  }
  return key
}

/** As it is now: kept with the statements, while the caller's rights may change. */
export function visibilityOf(principal: Principal, types: readonly ContentType[], auth: Auth): Visibility {
  const draftTypes = new Set(types.filter(({ name }) => auth.seesDrafts(principal, name)))
  const readTypes = new Set(types.filter(({ name }) => auth.mayContent(principal, name, 'read')))
  return { seesDrafts: (type) => draftTypes.has(type), mayRead: (type) => readTypes.has(type) }
}

/**
 * Checks a query for a caller. What is wrong with it would tell of the types that it looks into, so their permission
 * comes first.
 * @throws AppError 403, InvalidQuery
 */
export function parseFor<T>(principal: Principal, scope: CallerScope, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof InvalidQuery) refuseUnreadable(error.requiredTypes, principal, scope)
    throw error
  }
}

/** @throws AppError 403 where a query asks for what the caller may not see */
export function refuseForbidden(query: ReadQuery, principal: Principal, scope: CallerScope): void {
  const { auth } = scope
  const { model, published, draft, deleted, requiredTypes } = query
  refuseUnreadable(requiredTypes, principal, scope)
  const { name, options } = model.type
  if (published === false && options.draftAndPublish && !auth.seesDrafts(principal, name)) {
    throw AppError.forbidden('only those who may see drafts may ask for them with published=false')
  }
  if (draft && !auth.seesDrafts(principal, name)) {
    throw AppError.forbidden('only those who may see drafts may ask for them with draft=true')
  }
  if (deleted && !auth.isAdministrator(principal)) {
    throw AppError.forbidden('only administrators may ask for deleted entries with deleted=true')
  }
}

/** @throws AppError 403 where the caller may not read one of the types */
export function refuseUnreadable(
  types: readonly string[],
  principal: Principal,
  { auth, models }: CallerScope,
): void {
  for (const name of types) {
    // What is shown of system types is shown with whatever points at them.
    const isServed = models.get(name)?.type.system === false
    if (isServed && !auth.mayContent(principal, name, 'read')) auth.refuse(principal)
  }
}
