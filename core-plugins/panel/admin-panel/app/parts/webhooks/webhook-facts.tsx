import { useQuery } from '@tanstack/react-query'
import type { Webhook, WebhookStats } from '../../../../../../client/admin.ts'
import { api } from '../../ground/api/client.ts'
import { t, writtenLocale } from '../../ground/i18n/translate.ts'
import { Facts, Moment } from '../../ground/kit/resource-list/facts.tsx'
import { webhooksKey, webhooksPath } from './webhook.ts'

/** The configuration and recent success of a webhook. */
export function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { id, last_delivery_at: lastAt, last_status: status, unknown_events: unknown } = webhook
  const { data: stats } = useQuery({
    queryKey: [webhooksKey, 'stats', id],
    queryFn: ({ signal }) => api.send<WebhookStats>('GET', `${webhooksPath}/${id}/stats`, { signal }),
  })
  return (
    <Facts
      isWide
      facts={[
        [t('operations.webhooks.url'), webhook.url],
        [t('operations.webhooks.events'), webhook.events.join(', ')],
        [t('operations.webhooks.types'), webhook.content_types.join(', ')],
        [t('operations.webhooks.unknownEvents'), unknown.join(', ')],
        [t('operations.webhooks.madeBy'), webhook.made_by],
        [t('operations.webhooks.lastDelivery'), lastAt && <Moment key="at" at={lastAt} />],
        [t('operations.webhooks.lastStatus'), status && t(`operations.webhooks.statuses.${status}`)],
        [t('operations.webhooks.failures'), webhook.consecutive_failures || null],
        ...(stats === undefined ? [] : factsOf(stats)),
      ]}
    />
  )
}

function factsOf({ total, dead, pending, successRate, ...times }: WebhookStats) {
  const percent = new Intl.NumberFormat(writtenLocale(), { style: 'percent', maximumFractionDigits: 1 })
  const inMs = (ms: number | null) =>
    ms === null ? null : t('operations.webhooks.ms', { ms: Math.round(ms) })
  return [
    [t('operations.webhooks.total'), total],
    [t('operations.webhooks.successRate'), successRate === null ? null : percent.format(successRate)],
    [t('operations.webhooks.statuses.pending'), pending || null],
    [t('operations.webhooks.dead'), dead || null],
    [t('operations.webhooks.averageTime'), inMs(times.avgResponseTime)],
    [t('operations.webhooks.p95'), inMs(times.p95ResponseTime)],
  ] as const
}
