import { useLocation, useParams } from 'wouter'
import type { Webhook } from '../../../../../../client/admin.ts'
import { useAccess } from '../../ground/access/access.ts'
import { api } from '../../ground/api/client.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { EmptyState } from '../../ground/kit/empty-state/empty-state.tsx'
import { ButtonLink } from '../../ground/kit/link/button-link.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import type { RowAction } from '../../ground/kit/resource-list/resource.ts'
import { useRowActions } from '../../ground/kit/resource-list/use-row-actions.tsx'
import { Deliveries } from './deliveries.tsx'
import classes from './webhook.module.css'
import { useWebhook, webhooksKey, webhooksPath, webhooksScreen } from './webhook.ts'
import { WebhookFacts } from './webhook-facts.tsx'
import { WebhookTest } from './webhook-test.tsx'
import { deleteAction, WebhookState } from './webhooks.tsx'

const back = () => ({ to: webhooksScreen, label: t('operations.webhooks.back') })

/** A webhook: its state, deliveries, and a test. */
export default function WebhookScreen() {
  const { id = '' } = useParams<{ id: string }>()
  const { data: webhook, error } = useWebhook(id)
  const mayWrite = useAccess().mayArea('webhooks', 'write')
  return (
    <Page
      title={webhook?.name ?? t('operations.webhooks.webhook')}
      back={back()}
      aside={webhook !== undefined && <WebhookState webhook={webhook} />}
      actions={webhook !== undefined && mayWrite && <Actions webhook={webhook} />}
    >
      {error !== null && webhook === undefined && (
        <EmptyState icon="triangle-alert" title={t('operations.webhooks.failed')}>
          {errorText(error)}
        </EmptyState>
      )}
      {webhook === undefined && error === null && <Skeleton lines={8} />}
      {webhook !== undefined && <Shown webhook={webhook} mayWrite={mayWrite} />}
    </Page>
  )
}

function Shown({ webhook, mayWrite }: { readonly webhook: Webhook; readonly mayWrite: boolean }) {
  return (
    <>
      <WebhookFacts webhook={webhook} />
      {mayWrite && <WebhookTest webhook={webhook} />}
      <section className={classes.part} aria-label={t('operations.webhooks.deliveries')}>
        <h2>{t('operations.webhooks.deliveries')}</h2>
        <Deliveries
          label={t('operations.webhooks.deliveries')}
          resource={{ key: webhooksKey, path: `${webhooksPath}/${webhook.id}/logs`, refreshMs: 10_000 }}
          isFiltered
          mayWrite={mayWrite}
          empty={{
            icon: 'send',
            title: t('operations.webhooks.noDeliveries'),
            text: t('operations.webhooks.noDeliveriesText'),
          }}
        />
      </section>
    </>
  )
}

function Actions({ webhook }: { readonly webhook: Webhook }) {
  const { id, enabled, consecutive_failures: failures } = webhook
  const { start, pending, question } = useRowActions(webhooksKey)
  const [, navigate] = useLocation()
  const removal = deleteAction(webhook)
  const remove: RowAction = {
    ...removal,
    async run() {
      await removal.run()
      navigate(webhooksScreen)
    },
  }
  const reset: RowAction = {
    id: 'reset',
    label: t('operations.webhooks.resetHealth'),
    done: t('operations.webhooks.resetHealthDone'),
    run: () => api.send('PUT', `${webhooksPath}/${id}/health`),
  }
  return (
    <>
      <Button icon="trash-2" onPress={() => start(remove)}>
        {remove.label}
      </Button>
      {(failures > 0 || !enabled) && (
        <Button isPending={pending === reset.id} onPress={() => start(reset)}>
          {reset.label}
        </Button>
      )}
      <ButtonLink to={`${webhooksScreen}/${id}/edit`} icon="pencil">
        {t('operations.webhooks.edit')}
      </ButtonLink>
      {question}
    </>
  )
}
