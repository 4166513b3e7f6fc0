import type { WebhookDelivery } from '../../../../../../client/admin.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Data, Facts, Moment } from '../../ground/kit/resource-list/facts.tsx'

/** The details of a delivery: request and response. */
export function DeliveryDetail({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { responseTime: ms } = delivery
  return (
    <>
      <Facts
        facts={[
          [t('operations.webhooks.state'), t(`operations.webhooks.statuses.${delivery.status}`)],
          [t('operations.webhooks.origin'), t(`operations.webhooks.origins.${delivery.origin}`)],
          [t('operations.webhooks.statusCode'), delivery.statusCode],
          [t('operations.webhooks.responseTime'), ms === null ? null : t('operations.webhooks.ms', { ms })],
          [t('operations.webhooks.attempt'), delivery.attempt],
          [t('operations.webhooks.at'), <Moment key="at" at={delivery.created_at} />],
        ]}
      />
      <Data label={t('operations.webhooks.error')} value={delivery.error} />
      <Data label={t('operations.webhooks.payload')} value={delivery.payload} />
      <Data label={t('operations.webhooks.requestHeaders')} value={delivery.requestHeaders} />
      <Data label={t('operations.webhooks.responseHeaders')} value={delivery.responseHeaders} />
    </>
  )
}
