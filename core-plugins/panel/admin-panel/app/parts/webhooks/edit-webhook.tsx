import { useLocation, useParams } from 'wouter'
import type { Webhook } from '../../../../../../client/admin.ts'
import { api } from '../../ground/api/client.ts'
import { queryClient } from '../../ground/api/query-client.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { useRowActions } from '../../ground/kit/resource-list/use-row-actions.tsx'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { useWebhook, webhooksKey, webhooksPath, webhooksScreen } from './webhook.ts'
import { WebhookForm } from './webhook-form.tsx'

/** Changes a webhook. */
export default function EditWebhookScreen() {
  const { id = '' } = useParams<{ id: string }>()
  const { data: webhook, error } = useWebhook(id)
  const [, navigate] = useLocation()
  return (
    <Page
      title={t('operations.webhooks.editTitle', { name: webhook?.name ?? '' })}
      width="text"
      back={{ to: `${webhooksScreen}/${id}`, label: webhook?.name ?? '' }}
      actions={webhook?.hasSecret === true && <RemoveSecret webhook={webhook} />}
    >
      {webhook === undefined &&
        (error === null ? <Skeleton lines={8} /> : <p role="alert">{errorText(error)}</p>)}
      {webhook !== undefined && (
        <WebhookForm
          key={webhook.id}
          webhook={webhook}
          action={t('operations.webhooks.save')}
          onDone={() => {
            void queryClient.invalidateQueries({ queryKey: [webhooksKey] })
            toast('success', t('operations.webhooks.saved'))
            navigate(`${webhooksScreen}/${id}`)
          }}
        />
      )}
    </Page>
  )
}

function RemoveSecret({ webhook: { id } }: { readonly webhook: Webhook }) {
  const { start, pending } = useRowActions(webhooksKey)
  const action = {
    id: 'secret',
    label: t('operations.webhooks.removeSecret'),
    done: t('operations.webhooks.saved'),
    run: () => api.send('PUT', `${webhooksPath}/${id}`, { body: { secret: null } }),
  }
  return (
    <Button isPending={pending === action.id} onPress={() => start(action)}>
      {action.label}
    </Button>
  )
}
