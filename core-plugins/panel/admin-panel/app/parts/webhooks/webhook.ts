import { useQuery } from '@tanstack/react-query'
import type { Webhook, WebhookDeliveryStatus } from '../../../../../../client/admin.ts'
import { api } from '../../ground/api/client.ts'
import type { BadgeProps } from '../../ground/kit/badge/badge.tsx'

/** The query key prefix for webhooks. */
export const webhooksKey = 'webhooks'
export const webhooksPath = '/webhooks'
export const webhooksScreen = '/operations/webhooks'

export const deliveryStatuses: Readonly<Record<WebhookDeliveryStatus, NonNullable<BadgeProps['tone']>>> = {
  pending: 'neutral',
  delivered: 'success',
  retrying: 'warning',
  dead: 'danger',
}

/** Webhook names by id; empty while loading. */
export function useWebhookNames(): ReadonlyMap<number, string> {
  const { data = [] } = useQuery({
    queryKey: [webhooksKey, 'names'],
    queryFn: ({ signal }) => api.send<readonly Webhook[]>('GET', webhooksPath, { signal }),
  })
  return new Map(data.map(({ id, name }) => [id, name]))
}

/** One of them. */
export const useWebhook = (id: string) =>
  useQuery({
    queryKey: [webhooksKey, 'item', id],
    queryFn: ({ signal }) =>
      api.send<Webhook>('GET', `${webhooksPath}/${encodeURIComponent(id)}`, { signal }),
  })
