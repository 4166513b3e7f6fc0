import { useMutation } from '@tanstack/react-query'
import type { Webhook, WebhookDelivery } from '../../../../../../client/admin.ts'
import { api } from '../../ground/api/client.ts'
import { queryClient } from '../../ground/api/query-client.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { DeliveryDetail } from './delivery-detail.tsx'
import classes from './webhook.module.css'
import { webhooksKey, webhooksPath } from './webhook.ts'

/** Sends a test delivery and shows the response. */
export function WebhookTest({ webhook: { id } }: { readonly webhook: Webhook }) {
  const test = useMutation({
    mutationFn: () => api.send<WebhookDelivery>('POST', `${webhooksPath}/${id}/test`),
    onError: (error) => toast('danger', errorText(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [webhooksKey] }),
  })
  return (
    <section className={classes.part} aria-label={t('operations.webhooks.testResult')}>
      <div>
        <Button icon="send" isPending={test.isPending} onPress={() => test.mutate()}>
          {t('operations.webhooks.test')}
        </Button>
      </div>
      <div role="status">{test.data !== undefined && <Result delivery={test.data} />}</div>
    </section>
  )
}

function Result({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { status, statusCode, responseTime } = delivery
  const isGood = status === 'delivered'
  const values = { code: statusCode ?? '', ms: responseTime ?? 0 }
  return (
    <details className={isGood ? classes.good : classes.bad} open={!isGood}>
      <summary>
        {isGood ? t('operations.webhooks.testGood', values) : t('operations.webhooks.testBad')}
      </summary>
      <DeliveryDetail delivery={delivery} />
    </details>
  )
}
