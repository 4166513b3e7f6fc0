import { type Static, Type } from 'typebox'
import { operator } from '../../accounts/auth/auth.ts'
import { type Principal, strict } from '../../foundation/http/http.ts'
import {
  type ItemToPut,
  type ListedItem,
  listedSection,
  oncePerTransaction,
  scopedRights,
  type TransferSection,
} from '../../foundation/sections/sections.ts'
import { openHeaders, secretHeaders } from './header-rules.ts'
import {
  changedFields,
  fieldsOf,
  type NewWebhook,
  type WebhookChange,
  type WebhookMaker,
} from './webhook-fields.ts'
import { makerOf, type WebhookRoutesDeps } from './webhook-routes.ts'
import type { KnownWebhook } from './webhook-store.ts'

const texts = Type.Array(Type.String({ maxLength: 255 }), { maxItems: 1_000 })
const valueSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255 }),
    url: Type.String({ minLength: 1, maxLength: 2_000 }),
    events: Type.Array(Type.String({ maxLength: 255 }), { minItems: 1, maxItems: 100 }),
    contentTypes: texts,
    headers: Type.Record(Type.String(), Type.String(), { maxProperties: 50 }),
  },
  strict,
)

type WebhookValue = Static<typeof valueSchema>

/**
 * Webhooks in transfers. Secrets, headers that could be secrets, and whether webhooks are enabled stay in each environment: a
 * new webhook is disabled until it is enabled there.
 */
export function webhookSection(deps: WebhookRoutesDeps): TransferSection {
  const { auth, admin, webhooks, rights } = deps
  const maker = (principal: Principal): WebhookMaker => {
    // Operators on the machine have no account whose permissions could be checked later.
    if (principal !== operator) return makerOf(principal, deps)
    const events = new Set(deps.known.forPrincipal(operator).map(({ name }) => name))
    return { name: null, types: rights.typesFor(operator), events }
  }
  // A package names each webhook once, so written webhooks are not looked up again.
  const known = oncePerTransaction(
    async (tx) => new Map((await webhooks.listKnown(tx)).map((webhook) => [webhook.uuid, webhook])),
  )
  return listedSection({
    name: 'webhooks',
    ...scopedRights(auth, 'webhooks'),
    valueSchema,
    keyPattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    list: async (tx) => (await webhooks.listKnown(tx)).map(itemOf),
    async put(items, { principal, tx }) {
      const here = await known(tx)
      for (const item of items) {
        const present = here.get(item.key)
        const body = bodyOf(item, present)
        if (present === undefined) {
          const fields = fieldsOf({ ...body, enabled: false } as NewWebhook, maker(principal))
          await admin.create(fields, { uuid: item.key, tx })
          continue
        }
        const told = await rights.typesForMaker(present.madeBy)
        const change = { maker: maker(principal), told }
        await admin.update(
          present.id,
          async (before) => changedFields(before, body as WebhookChange, change),
          tx,
        )
      }
    },
    async remove(keys, { tx }) {
      const here = await known(tx)
      for (const { id } of keys.flatMap((key) => here.get(key) ?? [])) await admin.remove(id, tx)
    },
  })
}

function itemOf({ uuid, name, url, events, contentTypes, headers, updatedAt }: KnownWebhook): ListedItem {
  const value = {
    ...{ name, url, headers: openHeaders(headers) },
    events: [...events].sort(),
    contentTypes: [...contentTypes].sort(),
  } satisfies WebhookValue
  return { key: uuid, label: name, value, changedAt: updatedAt }
}

function bodyOf({ value }: ItemToPut, present: KnownWebhook | undefined) {
  const { contentTypes: content_types, headers, ...rest } = value as WebhookValue
  return {
    ...rest,
    content_types,
    headers: { ...openHeaders(headers), ...secretHeaders(present?.headers ?? {}) },
  }
}
