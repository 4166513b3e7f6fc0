import { type Static, Type } from 'typebox'
import { AppError, type ErrorDetail, ignored, strict, timestampSchema } from '../http/http.ts'
import { headerProblems } from './header-rules.ts'
import type { Webhook, WebhookFields } from './webhook-store.ts'
import { webhookEvents } from './webhooks.ts'

const maxUrlLength = 2000

const name = Type.String({ minLength: 1, maxLength: 255 })
const url = Type.String({ minLength: 1, maxLength: maxUrlLength, description: 'http or https' })
const events = Type.Array(Type.Enum([...webhookEvents]), { minItems: 1, uniqueItems: true })

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
      Type.String({ maxLength: 1000, description: 'Signs deliveries; never shown. Empty or null: none' }),
      Type.Null(),
    ]),
  ),
  headers: Type.Optional(Type.Record(Type.String(), Type.String(), { maxProperties: 50 })),
  ...ignored('id', 'hasSecret', 'created_at', 'updated_at'),
  ...ignored('consecutive_failures', 'last_status', 'last_delivery_at'),
}

/** What makes a webhook. */
export const newWebhookSchema = Type.Object({ name, url, events, ...optional }, strict)

/** What changes one: what is not sent stays. */
export const webhookChangeSchema = Type.Object(
  { name: Type.Optional(name), url: Type.Optional(url), events: Type.Optional(events), ...optional },
  strict,
)

export type NewWebhook = Static<typeof newWebhookSchema>
export type WebhookChange = Static<typeof webhookChangeSchema>

const nullable = <Schema extends ReturnType<typeof Type.String>>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

/** A webhook as it is answered; specification, "Other resources", and decisions.md, 7. */
export const webhookSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    url: Type.String(),
    events: Type.Array(Type.String()),
    enabled: Type.Boolean(),
    content_types: Type.Array(Type.String()),
    headers: Type.Record(Type.String(), Type.String()),
    hasSecret: Type.Boolean(),
    consecutive_failures: Type.Integer(),
    last_status: nullable(Type.String()),
    last_delivery_at: Type.Union([timestampSchema, Type.Null()]),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  },
  strict,
)

export function presentWebhook(webhook: Webhook): Static<typeof webhookSchema> {
  const { id, name, url, events, enabled, headers, contentTypes, secret } = webhook
  return {
    ...{ id, name, url, events: [...events], enabled, headers },
    content_types: [...contentTypes],
    hasSecret: secret !== null,
    consecutive_failures: webhook.consecutiveFailures,
    last_status: webhook.lastStatus,
    last_delivery_at: webhook.lastDeliveryAt,
    created_at: webhook.createdAt,
    updated_at: webhook.updatedAt,
  }
}

/** @throws AppError 400 with everything that is wrong */
export function fieldsOf(body: NewWebhook, contentTypes: ReadonlySet<string>): WebhookFields {
  refuseProblems(body, contentTypes)
  const { name, url, events, enabled = true, content_types, secret, headers = {} } = body
  return {
    ...{ name, url, events, enabled, headers },
    contentTypes: content_types ?? [],
    secret: secretOf(secret),
  }
}

/** What a change makes of a webhook. @throws AppError 400 with everything that is wrong */
export function changedFields(
  before: WebhookFields,
  body: WebhookChange,
  contentTypes: ReadonlySet<string>,
): WebhookFields {
  refuseProblems(body, contentTypes)
  const { name, url, events, enabled, content_types, secret, headers } = body
  return {
    name: name ?? before.name,
    url: url ?? before.url,
    events: events ?? before.events,
    enabled: enabled ?? before.enabled,
    headers: headers ?? before.headers,
    contentTypes: content_types === undefined ? before.contentTypes : (content_types ?? []),
    secret: secret === undefined ? before.secret : secretOf(secret),
  }
}

function secretOf(secret: string | null | undefined): string | null {
  return secret === undefined || secret === '' ? null : secret
}

function refuseProblems(body: WebhookChange, known: ReadonlySet<string>): void {
  const { url, content_types, headers } = body
  const problems = [
    ...(url === undefined ? [] : urlProblems(url)),
    ...(content_types ?? []).flatMap((type, index) => typeProblems(type, index, known)),
    ...(headers === undefined ? [] : headerProblems(headers)),
  ]
  if (problems.length > 0) throw AppError.invalid(problems)
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

function typeProblems(type: string, index: number, known: ReadonlySet<string>): ErrorDetail[] {
  if (known.has(type)) return []
  return [{ path: `content_types.${index}`, code: 'unknown', message: `there is no content type ${type}` }]
}
