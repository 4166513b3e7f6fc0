import { Type } from 'typebox'
import type { Auth } from '../../accounts/auth/auth.ts'
import {
  created,
  defineRoute,
  type ErrorDetail,
  idParams,
  type Principal,
  type Route,
  strict,
} from '../../foundation/http/http.ts'
import type { AddressGuard } from '../../foundation/outgoing/outgoing.ts'
import type { KnownEvents } from './known-events.ts'
import type { ReceivingRights } from './receiving-rights.ts'
import type { WebhookAdmin } from './webhook-admin.ts'
import {
  bodyProblems,
  changedFields,
  fieldsOf,
  newWebhookSchema,
  presentWebhook,
  type Showing,
  type WebhookMaker,
  webhookChangeSchema,
  webhookSchema,
} from './webhook-fields.ts'
import type { WebhookFields, WebhookStore } from './webhook-store.ts'
import { entryEvents } from './webhooks.ts'

const read = { tag: 'Webhooks', access: 'area', scope: 'webhooks:read' } as const
const write = { tag: 'Webhooks', access: 'area', scope: 'webhooks:write' } as const

export interface WebhookRoutesDeps {
  readonly auth: Auth
  readonly admin: WebhookAdmin
  readonly webhooks: WebhookStore
  readonly rights: ReceivingRights
  readonly known: KnownEvents
  readonly guard: AddressGuard
}

/** Specification, "Webhooks": the webhooks themselves. */
export function createWebhookRoutes(deps: WebhookRoutesDeps): Route[] {
  return [
    listWebhooks(deps),
    listEvents(deps),
    createWebhook(deps),
    readWebhook(deps),
    updateWebhook(deps),
    deleteWebhook(deps),
    resetHealth(deps),
  ]
}

const listWebhooks = (deps: WebhookRoutesDeps) =>
  defineRoute({
    ...read,
    name: 'admin:webhooks.list',
    method: 'GET',
    path: '/webhooks',
    summary: 'List webhooks',
    response: Type.Array(webhookSchema),
    async handler({ principal }) {
      const showing = showingTo(principal, deps)
      return (await deps.webhooks.list()).map((webhook) => presentWebhook(webhook, showing))
    },
  })

const createWebhook = (deps: WebhookRoutesDeps) =>
  defineRoute({
    ...write,
    name: 'admin:webhooks.create',
    method: 'POST',
    path: '/webhooks',
    summary: 'Create a webhook',
    body: newWebhookSchema,
    response: webhookSchema,
    successStatus: 201,
    furtherProblems: async ({ body, principal }) => [
      ...bodyProblems(body, makerOf(principal, deps)),
      ...(await refusedAddress(body.url, deps)),
    ],
    async handler({ body, principal }) {
      const further = await refusedAddress(body.url, deps)
      const webhook = await deps.admin.create(fieldsOf(body, makerOf(principal, deps), further))
      return created(presentWebhook(webhook, showingTo(principal, deps)))
    },
  })

const readWebhook = (deps: WebhookRoutesDeps) =>
  defineRoute({
    ...read,
    name: 'admin:webhooks.get',
    method: 'GET',
    path: '/webhooks/:id',
    summary: 'Read a webhook',
    params: idParams,
    response: webhookSchema,
    handler: async ({ params, principal }) =>
      presentWebhook(await deps.admin.get(params.id), showingTo(principal, deps)),
  })

const updateWebhook = (deps: WebhookRoutesDeps) =>
  defineRoute({
    ...write,
    name: 'admin:webhooks.update',
    method: 'PUT',
    path: '/webhooks/:id',
    summary: 'Change a webhook',
    description: 'What is not sent stays as it is.',
    params: idParams,
    body: webhookChangeSchema,
    response: webhookSchema,
    async furtherProblems({ params, body, principal }) {
      const before = await deps.admin.get(params.id)
      return [
        ...bodyProblems(body, makerOf(principal, deps), before),
        ...(await refusedAddress(newUrl(before, body), deps)),
      ]
    },
    async handler({ params, body, principal }) {
      const further = await refusedAddress(newUrl(await deps.admin.get(params.id), body), deps)
      const change = async (before: WebhookFields) => {
        const told = await deps.rights.typesForMaker(before.madeBy)
        return changedFields(before, body, { maker: makerOf(principal, deps), told, further })
      }
      return presentWebhook(await deps.admin.update(params.id, change), showingTo(principal, deps))
    },
  })

const deleteWebhook = (deps: WebhookRoutesDeps) =>
  defineRoute({
    ...write,
    name: 'admin:webhooks.delete',
    method: 'DELETE',
    path: '/webhooks/:id',
    summary: 'Delete a webhook',
    description: 'Deliveries that are under way end with it, and its log is deleted.',
    params: idParams,
    response: webhookSchema,
    handler: async ({ params, principal }) =>
      presentWebhook(await deps.admin.remove(params.id), showingTo(principal, deps)),
  })

const resetHealth = (deps: WebhookRoutesDeps) =>
  defineRoute({
    ...write,
    name: 'admin:webhooks.resetHealth',
    method: 'PUT',
    path: '/webhooks/:id/health',
    summary: 'Reset the health of a webhook',
    description: 'Forgets its failures, and enables it where they had disabled it.',
    params: idParams,
    response: webhookSchema,
    handler: async ({ params, principal }) =>
      presentWebhook(await deps.admin.resetHealth(params.id), showingTo(principal, deps)),
  })

const listEvents = ({ known }: WebhookRoutesDeps) =>
  defineRoute({
    ...read,
    name: 'admin:webhooks.listEvents',
    method: 'GET',
    path: '/webhooks/events',
    summary: 'List what webhooks can subscribe to',
    description:
      'Events of plugins come with the schema of their `data`, as far as the caller may be told of them.',
    response: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          description: Type.Union([Type.String(), Type.Null()]),
          payload: Type.Union([Type.Object({}), Type.Null()]),
        },
        strict,
      ),
    ),
    handler: ({ principal }) => [
      ...entryEvents.map((name) => ({ name, description: null, payload: null })),
      ...known
        .forPrincipal(principal)
        .map(({ name, description, payload }) => ({ name, description, payload })),
    ],
  })

/** Only a changed URL is checked, since the reachability of the stored one may have changed. */
const newUrl = (before: WebhookFields, { url }: { readonly url?: string | undefined }) =>
  url === before.url ? undefined : url

/** Checks an address immediately, instead of through a dead delivery later. Each delivery checks it again when it connects. */
async function refusedAddress(
  url: string | undefined,
  { guard }: Pick<WebhookRoutesDeps, 'guard'>,
): Promise<ErrorDetail[]> {
  if (url === undefined || !URL.canParse(url)) return []
  const { hostname } = new URL(url)
  const message = hostname === '' ? undefined : await guard.refusalOf(hostname.replace(/^\[|\]$/g, ''))
  return message === undefined ? [] : [{ path: 'url', code: 'address', message }]
}

function showingTo(principal: Principal, { auth, known }: WebhookRoutesDeps): Showing {
  return { isKnown: known.has, mayWrite: auth.mayAdminister(principal, write.scope) }
}

/** The principal as the maker of a webhook, with the events that they may receive. */
export function makerOf(
  principal: Principal,
  { auth, rights, known }: Pick<WebhookRoutesDeps, 'auth' | 'rights' | 'known'>,
): WebhookMaker {
  const events = new Set(known.forPrincipal(principal).map(({ name }) => name))
  return { name: auth.makers.nameOf(principal), types: rights.typesFor(principal), events }
}
