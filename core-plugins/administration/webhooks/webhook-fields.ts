import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from 'typebox'
import {
  AppError,
  assertValid,
  type ErrorDetail,
  ignored,
  orNull,
  presenterOf,
  strict,
  timestampSchema,
} from '../../foundation/http/http.ts'
import { headerProblems, maskedHeaders, unmaskedHeaders } from './header-rules.ts'
import { secretProblem } from './standard-webhooks.ts'
import type { Webhook } from './tables.ts'
import type { WebhookFields } from './webhook-store.ts'
import { entryEvents } from './webhooks.ts'

const maxUrlLength = 2000

const name = Type.String({ minLength: 1, maxLength: 255 })
const url = Type.String({ minLength: 1, maxLength: maxUrlLength, description: 'http or https' })
const events = Type.Array(Type.String(), {
  ...{ minItems: 1, maxItems: 100, uniqueItems: true },
  description: 'As `/webhooks/events` lists them',
})

const optional = {
  enabled: Type.Optional(Type.Boolean({ description: 'true unless told otherwise' })),
  content_types: Type.Optional(
    Type.Union([
      Type.Array(Type.String(), { maxItems: 1000, uniqueItems: true, description: 'None means all' }),
      Type.Null(),
    ]),
  ),
  secret: Type.Optional(
    Type.Union([
      Type.String({
        maxLength: 1000,
        description:
          'Signs deliveries; never shown. Empty or null: none. `whsec_` and bytes in base64 for libraries of Standard Webhooks',
      }),
      Type.Null(),
    ]),
  ),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      maxProperties: 50,
      description: 'A value that was shown as `***` stays as it is when it is sent back',
    }),
  ),
  ...ignored('id', 'hasSecret', 'created_at', 'updated_at'),
  ...ignored('made_by', 'unknown_events', 'consecutive_failures', 'last_status', 'last_delivery_at'),
}

/** The body to create a webhook. */
export const newWebhookSchema = Type.Object({ name, url, events, ...optional }, strict)

/** The body to change a webhook; omitted fields do not change. */
export const webhookChangeSchema = Type.Object(
  { name: Type.Optional(name), url: Type.Optional(url), events: Type.Optional(events), ...optional },
  strict,
)

export type NewWebhook = Static<typeof newWebhookSchema>
export type WebhookChange = Static<typeof webhookChangeSchema>

/** A webhook in responses; specification, "Other resources", and see docs/webhooks.md. */
export const webhookSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    url: Type.String(),
    events: Type.Array(Type.String()),
    unknown_events: Type.Array(Type.String(), {
      description: 'Events of plugins that are not there at present; the webhook keeps them',
    }),
    enabled: Type.Boolean(),
    content_types: Type.Array(Type.String()),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'What could be a credential is `***` to callers without `webhooks:write`',
    }),
    hasSecret: Type.Boolean(),
    made_by: orNull(Type.String(), {
      description: '`admin:3` or `token:7`: the webhook is told of what they may read',
    }),
    consecutive_failures: Type.Integer(),
    last_status: orNull(Type.String()),
    last_delivery_at: orNull(timestampSchema),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  },
  strict,
)

/** Options for showing a webhook. */
export interface Showing {
  readonly isKnown: (event: string) => boolean
  /** Callers who may change the webhook's address could obtain its headers anyway. */
  readonly mayWrite: boolean
}

const present = presenterOf(webhookSchema)

export function presentWebhook(webhook: Webhook, { isKnown, mayWrite }: Showing) {
  const { events, headers, secret } = webhook
  return present({
    ...webhook,
    unknownEvents: events.filter((event) => !isKnown(event)),
    headers: mayWrite ? headers : maskedHeaders(headers),
    hasSecret: secret !== null,
  })
}

/** The principal who sets up a webhook. */
export interface WebhookMaker {
  /** In the format of `Makers`; null for the service itself. */
  readonly name: string | null
  /** The content types whose events the maker may receive; others are reported as unknown. */
  readonly types: ReadonlySet<string>
  /** The plugin events that the maker may receive; others are reported as unknown. */
  readonly events: ReadonlySet<string>
}

/** The problems of a body beyond its schema. `kept` are the webhook's present fields. */
export function bodyProblems(
  body: Partial<WebhookChange>,
  { types, events: known }: WebhookMaker,
  kept: Pick<WebhookFields, 'events' | 'headers'> = { events: [], headers: {} },
): ErrorDetail[] {
  const { url, events, content_types, headers, secret } = body
  const isRight = (event: string) =>
    entryEvents.some((each) => each === event) || known.has(event) || kept.events.includes(event)
  return [
    ...(events ?? []).flatMap((event, index) => (isRight(event) ? [] : unknownEvent(event, index))),
    ...(url === undefined ? [] : urlProblems(url)),
    ...(content_types ?? []).flatMap((type, index) => typeProblems(type, index, types)),
    ...(headers === undefined ? [] : headerProblems(unmaskedHeaders(headers, kept.headers))),
    ...secretProblems(secret),
  ]
}

/** `further` are additional problems. @throws AppError 403, 400 with all problems */
export function fieldsOf(
  body: NewWebhook,
  maker: WebhookMaker,
  further: readonly ErrorDetail[] = [],
): WebhookFields {
  assertValid([...bodyProblems(body, maker), ...further])
  assertSome(maker)
  const { name, url, events, enabled = true, content_types, secret, headers = {} } = body
  return {
    ...{ name, url, events, enabled, headers },
    contentTypes: content_types ?? [],
    secret: secretOf(secret),
    madeBy: maker.name,
  }
}

export interface ChangingWebhook {
  readonly maker: WebhookMaker
  /** The types whose events it has received so far. */
  readonly told: ReadonlySet<string>
  /** Additional problems that are already known. */
  readonly further?: readonly ErrorDetail[]
}

/**
 * Applies a change to a webhook. A caller who changes what is sent, or where, becomes its maker, and must be allowed to
 * receive everything that it has received so far.
 * @throws AppError 403, 400 with all problems
 */
export function changedFields(
  before: WebhookFields,
  body: WebhookChange,
  { maker, told, further = [] }: ChangingWebhook,
): WebhookFields {
  assertValid([...bodyProblems(body, maker, before), ...further])
  const { name = before.name, enabled = before.enabled, ...rest } = body
  const after = { ...before, ...aimOf(before, rest) }
  if (isDeepStrictEqual(after, before)) return { ...before, name, enabled }
  assertSome(maker)
  if (![...told].every((type) => !isAskedFor(type, after) || maker.types.has(type))) {
    throw AppError.forbidden('the webhook is told of what you may not read; name the types in content_types')
  }
  return { ...after, name, enabled, madeBy: maker.name }
}

/** The fields that decide what is sent, and where. */
function aimOf(before: WebhookFields, body: Omit<WebhookChange, 'name' | 'enabled'>) {
  const { url, events, content_types, secret, headers } = body
  return {
    url: url ?? before.url,
    events: events ?? before.events,
    headers: headers === undefined ? before.headers : unmaskedHeaders(headers, before.headers),
    contentTypes: content_types === undefined ? before.contentTypes : (content_types ?? []),
    secret: secret === undefined ? before.secret : secretOf(secret),
  }
}

function isAskedFor(type: string, { contentTypes }: WebhookFields): boolean {
  return contentTypes.length === 0 || contentTypes.includes(type)
}

/** Refuses makers who may not receive any event, since their webhook would never send anything. */
function assertSome({ types, events }: WebhookMaker): void {
  if (types.size > 0 || events.size > 0) return
  const message =
    'a webhook is told of what its maker may read, drafts included; a token needs content:read and content:write for that'
  throw AppError.forbidden(message)
}

function secretOf(secret: string | null | undefined): string | null {
  return secret === undefined || secret === '' ? null : secret
}

function urlProblems(text: string): ErrorDetail[] {
  const message = urlProblem(text)
  return message === undefined ? [] : [{ path: 'url', code: 'url', message }]
}

function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not an address; write it whole, such as https://www.example.com/hook'
  const { protocol, username, password, href } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') return 'must begin with http:// or https://'
  if (username !== '' || password !== '') return 'must not hold credentials; put them into headers'
  return href.length > maxUrlLength ? `is longer than ${maxUrlLength} characters` : undefined
}

function secretProblems(secret: string | null | undefined): ErrorDetail[] {
  const message = secretProblem(secret ?? '')
  return message === undefined ? [] : [{ path: 'secret', code: 'format', message }]
}

function unknownEvent(event: string, index: number): ErrorDetail {
  const message = `there is no event ${event}; /webhooks/events lists those that there are`
  return { path: `events.${index}`, code: 'unknown', message }
}

function typeProblems(type: string, index: number, known: ReadonlySet<string>): ErrorDetail[] {
  if (known.has(type)) return []
  return [{ path: `content_types.${index}`, code: 'unknown', message: `there is no content type ${type}` }]
}
