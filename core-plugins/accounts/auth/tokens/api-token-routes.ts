import { type Static, Type } from 'typebox'
import {
  AppError,
  assertValid,
  created,
  defineRoute,
  type ErrorDetail,
  idParams,
  momentSchema,
  orNull,
  type Principal,
  presenterOf,
  type Route,
  strict,
  timestampSchema,
} from '../../../foundation/http/http.ts'
import { descriptionSchema } from '../accounts/account-payloads.ts'
import type { Auth } from '../auth-service.ts'
import { mayHandOutScopes } from '../roles/authorization.ts'
import type { ApiToken } from '../tables.ts'
import type { ApiTokens, IssuedToken, Rotation } from './api-tokens.ts'
import { chainOf, maxChain } from './makers.ts'
import { typedScopeOf } from './scopes.ts'

const read = { tag: 'API tokens', access: 'area', scope: 'admin:tokens:read' } as const
const write = { tag: 'API tokens', access: 'area', scope: 'admin:tokens:write' } as const

const formerValueSchema = Type.Object(
  {
    valid_until: timestampSchema,
    last_used_at: orNull(timestampSchema, {
      description: 'Exact to a minute; also of the time before the token was rotated',
    }),
  },
  strict,
)

/** An API token, without its value. */
export const apiTokenSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    scopes: Type.Array(Type.String()),
    expiresAt: orNull(timestampSchema),
    made_by: orNull(Type.String(), {
      description: '`admin:3` or `token:7`: the token may do nothing that its maker may not',
    }),
    last_used_at: orNull(timestampSchema),
    created_at: timestampSchema,
    updated_at: timestampSchema,
    former_values: Type.Array(formerValueSchema, {
      description: 'Those that still work since the token was rotated; the one that ends first comes first',
    }),
  },
  strict,
)

/** An API token with its value, which is returned only once. */
export const issuedTokenSchema = Type.Object({ ...apiTokenSchema.properties, token: Type.String() }, strict)

const newTokenBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    description: Type.Optional(descriptionSchema),
    scopes: Type.Array(Type.String(), { minItems: 1, maxItems: 100, uniqueItems: true }),
    expiresAt: Type.Optional(
      orNull(momentSchema, {
        description: 'Null is never; without it the token ends after `security.tokens.defaultLifetimeDays`',
      }),
    ),
  },
  strict,
)

/** A week: long enough to replace a value everywhere, and short enough to limit the risk. */
const maxGraceMinutes = 7 * 24 * 60

const rotationBody = Type.Object(
  {
    graceMinutes: Type.Integer({
      minimum: 1,
      maximum: maxGraceMinutes,
      description: 'For how long the present value goes on working',
    }),
    expiresAt: Type.Optional(
      orNull(momentSchema, {
        description: 'The new end of the token, null for never; without it the end stays as it is',
      }),
    ),
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
  /** The default lifetime of a token. */
  lifetimeDays(): number
  /** Called when the expiry of a token has changed or the token was deleted. */
  endChanged(id: number): Promise<void>
}

/** Specification, "Roles and API tokens". */
export function createApiTokenRoutes(options: ApiTokenRoutesOptions): Route[] {
  return [
    listTokens(options),
    listScopes(options),
    createToken(options),
    regenerateToken(options),
    rotateToken(options),
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
    response: Type.Array(apiTokenSchema),
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
    tool: false,
    method: 'POST',
    path: '/admin/api-tokens',
    summary: 'Create an API token',
    description: 'The token itself is answered this once.',
    body: newTokenBody,
    response: issuedTokenSchema,
    successStatus: 201,
    furtherProblems: ({ body }) => problemsOf(body, known),
    async handler({ body, principal }) {
      assertValid(problemsOf(body, known))
      const expiresAt = endOf(body.expiresAt, () => inDays(known.lifetimeDays()))
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
    tool: false,
    method: 'POST',
    path: '/admin/api-tokens/:id/regenerate',
    summary: 'Give an API token a new value',
    description: 'The old value is revoked; the new one is answered this once.',
    params: idParams,
    response: issuedTokenSchema,
    async handler({ params, principal }) {
      const newMaker = (token: ApiToken) => newMakerOf(auth, token, principal)
      return presentIssued(await apiTokens.regenerate(params.id, newMaker))
    },
  })

const rotateToken = ({ apiTokens, auth, endChanged }: ApiTokenRoutesOptions) =>
  defineRoute({
    ...write,
    name: 'admin:api-tokens.rotate',
    tool: false,
    method: 'POST',
    path: '/admin/api-tokens/:id/rotate',
    summary: 'Give an API token a new value while the present one goes on',
    description:
      'The present value works for `graceMinutes` more, with the rights that it has; the new one is answered this once. ' +
      'Whoever has got hold of a token is stopped by revoking or regenerating it instead.',
    params: idParams,
    body: rotationBody,
    response: issuedTokenSchema,
    furtherProblems: ({ body }) => endProblems(body.expiresAt),
    async handler({ params, body, principal }) {
      assertValid(endProblems(body.expiresAt))
      const issued = await apiTokens.rotate(params.id, (token) => rotationOf(auth, token, principal, body))
      await endChanged(params.id)
      return presentIssued(issued)
    },
  })

const deleteToken = ({ apiTokens, endChanged }: ApiTokenRoutesOptions) =>
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
      await endChanged(params.id)
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

/** The caller who receives a token's value becomes its maker, unless the caller is that token or one made by it. */
function newMakerOf(auth: Auth, token: ApiToken, by: Principal): string | null {
  checkScopes(auth, token.scopes, by)
  if (!isAmongMakers(token, by)) return makerOf(auth, by)
  // Throws for a former value that has lost its maker, since the new maker would get the rights of another one.
  auth.makers.nameOf(by)
  return token.madeBy
}

function isAmongMakers({ id }: ApiToken, by: Principal): boolean {
  return chainOf(by).some((each) => each.kind === 'token' && each.id === id)
}

/** @throws AppError 403 */
function rotationOf(
  auth: Auth,
  token: ApiToken,
  by: Principal,
  asked: Static<typeof rotationBody>,
): Rotation {
  const expiresAt = endOf(asked.expiresAt, () => token.expiresAt)
  if (isLater(expiresAt, token.expiresAt) && isAmongMakers(token, by)) {
    throw AppError.forbidden('a token does not prolong itself, and neither does one that it has made')
  }
  const formerUntil = new Date(Date.now() + asked.graceMinutes * minuteMs).toISOString()
  return { formerUntil, expiresAt, madeBy: newMakerOf(auth, token, by) }
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

function inDays(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString()
}

/** Null means no expiry, and must be requested explicitly. */
function endOf(asked: string | null | undefined, otherwise: () => string | null): string | null {
  if (asked === undefined) return otherwise()
  return asked === null ? null : new Date(asked).toISOString()
}

function isLater(end: string | null, other: string | null): boolean {
  return other !== null && (end === null || end > other)
}

const present = presenterOf(apiTokenSchema)

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
  return [...problems, ...endProblems(expiresAt)]
}

function endProblems(expiresAt: string | null | undefined): ErrorDetail[] {
  if (!expiresAt || Date.parse(expiresAt) > Date.now()) return []
  return [{ path: 'expiresAt', code: 'past', message: 'must be in the future' }]
}
