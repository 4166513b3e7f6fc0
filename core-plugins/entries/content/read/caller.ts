import type { Auth } from '../../../accounts/auth/auth.ts'
import { AppError, type Principal } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import { InvalidQuery, type ReadQuery } from '../query/read-query.ts'
import type { Visibility } from '../query/visibility.ts'

export interface CallerDeps {
  readonly auth: Auth
  readonly models: ReadonlyMap<string, EntryModel>
}

/** One character per type: what the caller may see of it. */
export function visibilityKey(principal: Principal, types: readonly ContentType[], auth: Auth): string {
  let key = ''
  for (const { name } of types) {
    key += auth.seesDrafts(principal, name) ? 'd' : auth.mayContent(principal, name, 'read') ? 'p' : '-'
  }
  return key
}

/** The visibility that results from the caller's current permissions. */
export function callersVisibility(principal: Principal, auth: Auth): Visibility {
  return {
    seesDrafts: ({ name }) => auth.seesDrafts(principal, name),
    mayRead: ({ name }) => auth.mayContent(principal, name, 'read'),
  }
}

/** A snapshot: it is kept with the statements, while the caller's rights may change. */
export function visibilityOf(principal: Principal, types: readonly ContentType[], auth: Auth): Visibility {
  const draftTypes = new Set(types.filter(({ name }) => auth.seesDrafts(principal, name)))
  const readTypes = new Set(types.filter(({ name }) => auth.mayContent(principal, name, 'read')))
  return { seesDrafts: (type) => draftTypes.has(type), mayRead: (type) => readTypes.has(type) }
}

/**
 * Checks a query for a caller. Problems with the query would reveal the types that it uses, so permission for
 * those is checked first.
 * @throws AppError 403, InvalidQuery
 */
export function parseFor<T>(principal: Principal, deps: CallerDeps, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (error instanceof InvalidQuery) {
      assertReadable(error.requiredTypes, principal, deps)
      const { draftsOfType } = error
      if (draftsOfType !== undefined && !deps.auth.seesDrafts(principal, draftsOfType)) throw metaRefused()
    }
    throw error
  }
}

/** @throws AppError 403 if a query asks for something the caller may not see */
export function assertAllowed(query: ReadQuery, principal: Principal, deps: CallerDeps): void {
  const { auth } = deps
  const { model, published, draft, deleted, requiredTypes } = query
  assertReadable(requiredTypes, principal, deps)
  const { name, options } = model.type
  if (published === false && options.draftAndPublish && !auth.seesDrafts(principal, name)) {
    throw AppError.forbidden('published=false requires access to drafts')
  }
  if (query.revealsMeta && !auth.seesDrafts(principal, name)) throw metaRefused()
  if (query.tellsAdminNames && !auth.knowsAdminNames(principal)) {
    throw AppError.forbidden(
      'sorting by people, and filters by their names, require admin:users:read; filter by ids',
    )
  }
  if (draft && !auth.seesDrafts(principal, name)) {
    throw AppError.forbidden('draft=true requires access to drafts')
  }
  if (deleted && !auth.isAdministrator(principal)) {
    throw AppError.forbidden('deleted=true is for administrators only')
  }
}

function metaRefused(): AppError {
  return AppError.forbidden('meta=true, and filters and sorts by what it shows, require access to drafts')
}

/** @throws AppError 403 if the caller may not read one of the types */
export function assertReadable(
  types: readonly string[],
  principal: Principal,
  { auth, models }: CallerDeps,
): void {
  for (const name of types) {
    // Entries of system types are visible wherever visible entries refer to them.
    const isServed = models.get(name)?.type.system === false
    if (isServed && !auth.mayContent(principal, name, 'read')) auth.refuse(principal)
  }
}
