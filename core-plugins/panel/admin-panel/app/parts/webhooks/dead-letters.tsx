import { useAccess } from '../../ground/access/access.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Page } from '../../ground/kit/page/page.tsx'
import { Deliveries } from './deliveries.tsx'
import { useWebhookNames, webhooksKey, webhooksPath, webhooksScreen } from './webhook.ts'

const resource = { key: webhooksKey, path: `${webhooksPath}/dead-letter` }

/** Failed deliveries of all webhooks. */
export default function DeadLettersScreen() {
  return (
    <Page
      title={t('operations.webhooks.dead')}
      back={{ to: webhooksScreen, label: t('operations.webhooks.back') }}
    >
      <Deliveries
        label={t('operations.webhooks.dead')}
        resource={resource}
        isFiltered={false}
        webhookNames={useWebhookNames()}
        mayWrite={useAccess().mayArea('webhooks', 'write')}
        empty={{
          icon: 'circle-check',
          title: t('operations.webhooks.noDead'),
          text: t('operations.webhooks.noDeadText'),
        }}
      />
    </Page>
  )
}
