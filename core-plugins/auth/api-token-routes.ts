import { type Static, Type } from 'typebox'
import {
  AppError,
  created,
  defineRoute,
  type ErrorDetail,
  expectValid,
  idParams,
  momentSchema,
  type Principal,
  type Route,
  strict,
  timestampSchema,
} from '../http/http.ts'
import { descriptionSchema } from './account-payloads.ts'
import type { ApiToken, ApiTokens, IssuedToken } from './api-tokens.ts'
import type { Auth } from './auth.ts'
import { mayHandOutScopes } from './judge.ts'
import { chainOf, maxChain } from './makers.ts'

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

/** Specification, "Roles and API tokens". `scopes` tells which there are, when all routes are known. */
export function createApiTokenRoutes(
  apiTokens: ApiTokens,
  auth: Auth,
  scopes: () => ReadonlySet<string>,
): Route[] {
  function checkScopes(asked: readonly string[], by: Principal): void {
    if (mayHandOutScopes(auth, by, asked)) return
    throw AppError.forbidden('a token may not be given more than you may do yourself')
  }

  function makerOf(by: Principal): string {
    if (chainOf(by).length <= maxChain) return auth.makers.nameOf(by)
    throw AppError.forbidden(`a token that was made by tokens, ${maxChain} in a row, makes no further one`)
  }

  /** Whoever gets a token's value stands behind it from then on, but for the token itself and those made by it. */
  function newMakerOf(token: ApiToken, by: Principal): string | null {
    checkScopes(token.scopes, by)
    const isAmongMakers = chainOf(by).some((each) => each.kind === 'token' && each.id === token.id)
    return isAmongMakers ? token.madeBy : makerOf(by)
  }

  return [
    defineRoute({
      ...read,
      name: 'admin:api-tokens.list',
      method: 'GET',
      path: '/admin/api-tokens',
      summary: 'List API tokens',
      response: Type.Array(tokenSchema),
      handler: async () => (await apiTokens.list()).map(present),
    }),
    defineRoute({
      ...read,
      name: 'admin:api-tokens.scopes',
      method: 'GET',
      path: '/admin/api-tokens/scopes',
      summary: 'Scopes that a token can have',
      response: Type.Array(Type.String()),
      handler: () => [...scopes()],
    }),
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
      judgeRefused: ({ body }) => problemsOf(body, scopes()),
      async handler({ body, principal }) {
        expectValid(problemsOf(body, scopes()))
        const expiresAt = body.expiresAt ? new Date(body.expiresAt).toISOString() : null
        checkScopes(body.scopes, principal)
        const { name, description = '' } = body
        const token = { name, description, scopes: body.scopes, expiresAt, madeBy: makerOf(principal) }
        return created(presentIssued(await apiTokens.create(token)))
      },
    }),
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
        const makerOf = (token: ApiToken) => newMakerOf(token, principal)
        return presentIssued(await apiTokens.regenerate(params.id, makerOf))
      },
    }),
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
    }),
  ]
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
  known: ReadonlySet<string>,
): ErrorDetail[] {
  const problems = scopes.flatMap((scope, index) =>
    known.has(scope)
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
