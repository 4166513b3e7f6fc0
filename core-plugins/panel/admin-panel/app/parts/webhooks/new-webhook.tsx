import { useLocation } from 'wouter'
import { queryClient } from '../../ground/api/query-client.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Page } from '../../ground/kit/page/page.tsx'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { webhooksKey, webhooksScreen } from './webhook.ts'
import { WebhookForm } from './webhook-form.tsx'

/** Sets a webhook up. */
export default function NewWebhookScreen() {
  const [, navigate] = useLocation()
  return (
    <Page
      title={t('operations.webhooks.new')}
      width="text"
      back={{ to: webhooksScreen, label: t('operations.webhooks.back') }}
    >
      <WebhookForm
        action={t('operations.webhooks.create')}
        onDone={({ id }) => {
          void queryClient.invalidateQueries({ queryKey: [webhooksKey] })
          toast('success', t('operations.webhooks.created'))
          navigate(`${webhooksScreen}/${id}`)
        }}
      />
    </Page>
  )
}
