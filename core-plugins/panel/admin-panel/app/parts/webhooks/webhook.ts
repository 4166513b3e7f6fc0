import { useQuery } from '@tanstack/react-query'
import { api } from '../../ground/api/client.ts'
import type { BadgeProps } from '../../ground/kit/badge/badge.tsx'

/** A webhook, as the service answers it. */
export interface Webhook {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly events: readonly string[]
  /** Of plugins that are not there at present. */
  readonly unknown_events: readonly string[]
  readonly enabled: boolean
  /** Empty: all. */
  readonly content_types: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly hasSecret: boolean
  readonly made_by: string | null
  readonly consecutive_failures: number
  readonly last_status: DeliveryStatus | null
  readonly last_delivery_at: string | null
}

export type DeliveryStatus = 'pending' | 'delivered' | 'retrying' | 'dead'

/** An event that was sent, or is to be. */
export interface Delivery {
  readonly id: number
  readonly webhookId: number
  readonly event: string
  readonly origin: 'change' | 'replay' | 'test'
  readonly status: DeliveryStatus
  readonly statusCode: number | null
  /** Milliseconds. */
  readonly responseTime: number | null
  readonly attempt: number
  readonly requestHeaders: Readonly<Record<string, string>> | null
  readonly responseHeaders: Readonly<Record<string, string>> | null
  readonly payload: unknown
  readonly error: string | null
  readonly created_at: string
}

export interface DeliveryStats {
  readonly total: number
  readonly dead: number
  readonly pending: number
  /** 0 to 1; null before anything has been finished. */
  readonly successRate: number | null
  readonly avgResponseTime: number | null
  readonly p95ResponseTime: number | null
}

/** What the keys of all queries about webhooks begin with. */
export const webhooksKey = 'webhooks'
export const webhooksPath = '/webhooks'
export const webhooksScreen = '/operations/webhooks'

export const deliveryStatuses: Readonly<Record<DeliveryStatus, NonNullable<BadgeProps['tone']>>> = {
  pending: 'neutral',
  delivered: 'success',
  retrying: 'warning',
  dead: 'danger',
}

/** What they are called, by their ids; empty until that is known. */
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
