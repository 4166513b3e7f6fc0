import { Type } from 'typebox'
import type { Auth } from '../auth/auth.ts'
import { created, defineRoute, idParams, type Principal, type Route } from '../http/http.ts'
import type { TellingRights } from './telling-rights.ts'
import type { WebhookAdmin } from './webhook-admin.ts'
import {
  bodyProblems,
  changedFields,
  fieldsOf,
  newWebhookSchema,
  presentWebhook,
  type WebhookMaker,
  webhookChangeSchema,
  webhookSchema,
} from './webhook-fields.ts'
import type { WebhookFields, WebhookStore } from './webhook-store.ts'

const read = { tag: 'Webhooks', access: 'area', scope: 'webhooks:read' } as const
const write = { tag: 'Webhooks', access: 'area', scope: 'webhooks:write' } as const

export interface WebhookRoutesDeps {
  readonly auth: Auth
  readonly admin: WebhookAdmin
  readonly webhooks: WebhookStore
  readonly rights: TellingRights
}

/** Specification, "Webhooks": the webhooks themselves. */
export function createWebhookRoutes(deps: WebhookRoutesDeps): Route[] {
  return [
    listWebhooks(deps),
    createWebhook(deps),
    readWebhook(deps),
    updateWebhook(deps),
    deleteWebhook(deps),
    resetHealth(deps),
  ]
}

const listWebhooks = ({ webhooks }: WebhookRoutesDeps) =>
  defineRoute({
    ...read,
    name: 'admin:webhooks.list',
    method: 'GET',
    path: '/webhooks',
    summary: 'List webhooks',
    response: Type.Array(webhookSchema),
    handler: async () => (await webhooks.list()).map(presentWebhook),
  })

const createWebhook = ({ auth, admin, rights }: WebhookRoutesDeps) =>
  defineRoute({
    ...write,
    name: 'admin:webhooks.create',
    method: 'POST',
    path: '/webhooks',
    summary: 'Create a webhook',
    body: newWebhookSchema,
    response: webhookSchema,
    successStatus: 201,
    furtherProblems: ({ body, principal }) => bodyProblems(body, makerOf(principal, { auth, rights })),
    async handler({ body, principal }) {
      return created(presentWebhook(await admin.create(fieldsOf(body, makerOf(principal, { auth, rights })))))
    },
  })

const readWebhook = ({ admin }: WebhookRoutesDeps) =>
  defineRoute({
    ...read,
    name: 'admin:webhooks.get',
    method: 'GET',
    path: '/webhooks/:id',
    summary: 'Read a webhook',
    params: idParams,
    response: webhookSchema,
    handler: async ({ params }) => presentWebhook(await admin.get(params.id)),
  })

const updateWebhook = ({ auth, admin, rights }: WebhookRoutesDeps) =>
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
    furtherProblems: ({ body, principal }) => bodyProblems(body, makerOf(principal, { auth, rights })),
    async handler({ params, body, principal }) {
      const change = async (before: WebhookFields) => {
        const told = await rights.typesForMaker(before.madeBy)
        return changedFields(before, body, { maker: makerOf(principal, { auth, rights }), told })
      }
      return presentWebhook(await admin.update(params.id, change))
    },
  })

const deleteWebhook = ({ admin }: WebhookRoutesDeps) =>
  defineRoute({
    ...write,
    name: 'admin:webhooks.delete',
    method: 'DELETE',
    path: '/webhooks/:id',
    summary: 'Delete a webhook',
    description: 'Deliveries that are under way end with it, and its log is deleted.',
    params: idParams,
    response: webhookSchema,
    handler: async ({ params }) => presentWebhook(await admin.remove(params.id)),
  })

const resetHealth = ({ admin }: WebhookRoutesDeps) =>
  defineRoute({
    ...write,
    name: 'admin:webhooks.resetHealth',
    method: 'PUT',
    path: '/webhooks/:id/health',
    summary: 'Reset the health of a webhook',
    description: 'Forgets its failures, and enables it where they had disabled it.',
    params: idParams,
    response: webhookSchema,
    handler: async ({ params }) => presentWebhook(await admin.resetHealth(params.id)),
  })

function makerOf(
  principal: Principal,
  { auth, rights }: Pick<WebhookRoutesDeps, 'auth' | 'rights'>,
): WebhookMaker {
  return { name: auth.makers.nameOf(principal), types: rights.typesFor(principal) }
}
