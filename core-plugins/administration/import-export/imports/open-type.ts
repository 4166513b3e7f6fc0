import type { Auth, ContentAction } from '../../../accounts/auth/auth.ts'
import { assertEnforced } from '../../../entries/content/content.ts'
import type { UniqueWaits } from '../../../foundation/database/database.ts'
import { AppError, type Principal } from '../../../foundation/http/http.ts'
import { type ContentType, isUnique, type Schemas } from '../../../foundation/schemas/schemas.ts'

export interface TypeRequest {
  readonly name: string
  readonly principal: Principal
  readonly match: string | undefined
  readonly publish: boolean
}

export interface OpenTypeDeps {
  readonly auth: Auth
  readonly schemas: Schemas
  readonly uniqueWaits: UniqueWaits
}

/**
 * Returns the type to import after checking the caller's permissions.
 * @throws AppError 401, 403, 404; 400 if the type cannot be matched or published as requested; 409 if several
 * entries have the same value of the attribute to match by
 */
export function openType(
  { auth, schemas: { types }, uniqueWaits }: OpenTypeDeps,
  request: TypeRequest,
): ContentType {
  const { name, principal, match, publish } = request
  const type = types.get(name)
  const isSingle = type?.kind === 'singleType'
  const actions: ContentAction[] = [
    isSingle ? 'update' : 'create',
    ...(match === undefined ? [] : ['update' as const]),
    ...(publish ? ['publish' as const] : []),
  ]
  for (const action of actions) if (!auth.mayContent(principal, name, action)) auth.refuse(principal)
  if (type === undefined) throw AppError.notFound(`content type ${name}`)
  if (match !== undefined && !isSingle && match !== 'uuid' && !isUnique(type, match)) {
    const message = `${name} has no attribute of this name that is unique`
    throw AppError.invalid([{ path: 'match', code: 'unique', message }])
  }
  if (match !== undefined && !isSingle) assertEnforced(uniqueWaits, type, match)
  return type
}
