import { type Static, Type } from 'typebox'
import {
  AppError,
  assertValid,
  created,
  defineRoute,
  type ErrorDetail,
  idParams,
  momentSchema,
  type Principal,
  type Route,
  strict,
  timestampSchema,
} from '../http/http.ts'
import { descriptionSchema } from './account-payloads.ts'
import type { ApiTokens, IssuedToken } from './api-tokens.ts'
import type { Auth } from './auth-service.ts'
import { mayHandOutScopes } from './authorization.ts'
import { chainOf, maxChain } from './makers.ts'
import { typedScopeOf } from './scopes.ts'
import type { ApiToken } from './tables.ts'

const read = { tag: 'API tokens', access: 'area', scope: 'admin:tokens:read' } as const
const write = { tag: 'API tokens', access: 'area', scope: 'admin:tokens:write' } as const

const shape = {
  id: Type.Integer(),
  name: Type.String(),
  description: Type.String(),
  scopes: Type.Array(Type.String()),
  expiresAt: Type.Union([timestampSchema, Type.Null()]),
  made_by: Type.Union([Type.String(), Type.Null()], {
    description: '`admin:3` or `token:7`: the token may do nothing that its maker may not',
  }),
  last_used_at: Type.Union([timestampSchema, Type.Null()]),
  created_at: timestampSchema,
  updated_at: timestampSchema,
}
const tokenSchema = Type.Object(shape, strict)
const issuedSchema = Type.Object({ ...shape, token: Type.String() }, strict)

const newTokenBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    description: Type.Optional(descriptionSchema),
    scopes: Type.Array(Type.String(), { minItems: 1, maxItems: 100, uniqueItems: true }),
    expiresAt: Type.Optional(Type.Union([momentSchema, Type.Null()])),
  },
  strict,
)

export interface ApiTokenRoutesOptions {
  readonly apiTokens: ApiTokens
  readonly auth: Auth
  /** All existing scopes, once all routes are known. */
  scopes(): ReadonlySet<string>
  /** Names of the content types that scopes can be limited to. */
  readonly types: ReadonlySet<string>
}

/** Specification, "Roles and API tokens". */
export function createApiTokenRoutes(options: ApiTokenRoutesOptions): Route[] {
  return [
    listTokens(options),
    listScopes(options),
    createToken(options),
    regenerateToken(options),
    deleteToken(options),
  ]
}

const listTokens = ({ apiTokens }: ApiTokenRoutesOptions) =>
  defineRoute({
    ...read,
    name: 'admin:api-tokens.list',
    method: 'GET',
    path: '/admin/api-tokens',
    summary: 'List API tokens',
    response: Type.Array(tokenSchema),
    handler: async () => (await apiTokens.list()).map(present),
  })

const listScopes = ({ scopes }: ApiTokenRoutesOptions) =>
  defineRoute({
    ...read,
    name: 'admin:api-tokens.scopes',
    method: 'GET',
    path: '/admin/api-tokens/scopes',
    summary: 'Scopes that a token can have',
    description: 'Those that begin with `content:` can be limited to a type: `content:read:article`.',
    response: Type.Array(Type.String()),
    handler: () => [...scopes()],
  })

const createToken = ({ apiTokens, auth, ...known }: ApiTokenRoutesOptions) =>
  defineRoute({
    ...write,
    name: 'admin:api-tokens.create',
    method: 'POST',
    path: '/admin/api-tokens',
    summary: 'Create an API token',
    description: 'The token itself is answered this once.',
    body: newTokenBody,
    response: issuedSchema,
    successStatus: 201,
    furtherProblems: ({ body }) => problemsOf(body, known),
    async handler({ body, principal }) {
      assertValid(problemsOf(body, known))
      const expiresAt = body.expiresAt ? new Date(body.expiresAt).toISOString() : null
      checkScopes(auth, body.scopes, principal)
      const { name, description = '' } = body
      const madeBy = makerOf(auth, principal)
      const token = { name, description, scopes: body.scopes, expiresAt, madeBy }
      return created(presentIssued(await apiTokens.create(token)))
    },
  })

const regenerateToken = ({ apiTokens, auth }: ApiTokenRoutesOptions) =>
  defineRoute({
    ...write,
    name: 'admin:api-tokens.regenerate',
    method: 'POST',
    path: '/admin/api-tokens/:id/regenerate',
    summary: 'Give an API token a new value',
    description: 'The old value is revoked; the new one is answered this once.',
    params: idParams,
    response: issuedSchema,
    async handler({ params, principal }) {
      const newMaker = (token: ApiToken) => newMakerOf(auth, token, principal)
      return presentIssued(await apiTokens.regenerate(params.id, newMaker))
    },
  })

const deleteToken = ({ apiTokens }: ApiTokenRoutesOptions) =>
  defineRoute({
    ...write,
    name: 'admin:api-tokens.delete',
    method: 'DELETE',
    path: '/admin/api-tokens/:id',
    summary: 'Revoke an API token',
    params: idParams,
    response: Type.Object({ id: Type.Integer() }, strict),
    async handler({ params }) {
      await apiTokens.remove(params.id)
      return { id: params.id }
    },
  })

/** @throws AppError 403 */
function checkScopes(auth: Auth, asked: readonly string[], by: Principal): void {
  if (mayHandOutScopes(auth, by, asked)) return
  throw AppError.forbidden('a token may not be given more than you may do yourself')
}

/** @throws AppError 403 if the chain of makers would become too long */
function makerOf(auth: Auth, by: Principal): string {
  if (chainOf(by).length <= maxChain) return auth.makers.nameOf(by)
  throw AppError.forbidden(`a token that was made by tokens, ${maxChain} in a row, makes no further one`)
}

/** Whoever receives a token's value becomes its maker, except the token itself and those made by it. */
function newMakerOf(auth: Auth, token: ApiToken, by: Principal): string | null {
  checkScopes(auth, token.scopes, by)
  const isAmongMakers = chainOf(by).some((each) => each.kind === 'token' && each.id === token.id)
  return isAmongMakers ? token.madeBy : makerOf(auth, by)
}

function present(token: ApiToken) {
  const { id, name, description, scopes, expiresAt } = token
  const times = { last_used_at: token.lastUsedAt, created_at: token.createdAt, updated_at: token.updatedAt }
  return { id, name, description, scopes, expiresAt, made_by: token.madeBy, ...times }
}

function presentIssued({ apiToken, value }: IssuedToken) {
  return { ...present(apiToken), token: value }
}

function problemsOf(
  { scopes = [], expiresAt }: Partial<Static<typeof newTokenBody>>,
  { scopes: all, types }: Pick<ApiTokenRoutesOptions, 'scopes' | 'types'>,
): ErrorDetail[] {
  const known = all()
  const isOfType = (scope: string) => types.has(typedScopeOf(scope)?.type ?? '')

  const problems = scopes.flatMap((scope, index) =>
    known.has(scope) || isOfType(scope)
      ? []
      : [
          {
            path: `scopes.${index}`,
            code: 'unknown',
            message: `${scope} is not a scope; GET …/scopes lists them`,
          },
        ],
  )
  if (expiresAt && Date.parse(expiresAt) <= Date.now()) {
    problems.push({ path: 'expiresAt', code: 'past', message: 'must be in the future' })
  }
  return problems
}
