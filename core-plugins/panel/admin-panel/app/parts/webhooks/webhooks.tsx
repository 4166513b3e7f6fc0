import type { Webhook } from '../../../../../../client/admin.ts'
import { useAccess } from '../../ground/access/access.ts'
import { api } from '../../ground/api/client.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Badge } from '../../ground/kit/badge/badge.tsx'
import { ButtonLink } from '../../ground/kit/link/button-link.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { Moment } from '../../ground/kit/resource-list/facts.tsx'
import type { ResourceColumn, RowAction } from '../../ground/kit/resource-list/resource.ts'
import { ResourceList } from '../../ground/kit/resource-list/resource-list.tsx'
import { webhooksKey, webhooksPath, webhooksScreen } from './webhook.ts'

const resource = { key: webhooksKey, path: webhooksPath }

/** The webhooks. */
export default function WebhooksScreen() {
  const mayWrite = useAccess().mayArea('webhooks', 'write')
  const create = (
    <ButtonLink to={`${webhooksScreen}/new`} look="primary" icon="plus">
      {t('operations.webhooks.new')}
    </ButtonLink>
  )
  return (
    <Page
      title={t('operations.webhooks.title')}
      actions={
        <>
          <ButtonLink to={`${webhooksScreen}/dead-letters`}>{t('operations.webhooks.dead')}</ButtonLink>
          {mayWrite && create}
        </>
      }
    >
      <ResourceList<Webhook>
        label={t('operations.webhooks.title')}
        resource={resource}
        columns={columns()}
        nameOf={({ name }) => name}
        hrefOf={({ id }) => `${webhooksScreen}/${id}`}
        empty={{
          icon: 'webhook',
          title: t('operations.webhooks.empty'),
          text: t('operations.webhooks.emptyText'),
        }}
        {...(mayWrite ? { actionsOf } : {})}
      />
    </Page>
  )
}

const columns = (): readonly ResourceColumn<Webhook>[] => [
  { id: 'name', label: t('operations.webhooks.name'), cell: ({ name }) => name },
  {
    id: 'state',
    label: t('operations.webhooks.state'),
    cell: (webhook) => <WebhookState webhook={webhook} />,
  },
  { id: 'url', label: t('operations.webhooks.url'), cell: ({ url }) => url, isSecondary: true },
  {
    id: 'lastStatus',
    label: t('operations.webhooks.lastStatus'),
    cell: ({ last_status: status }) => status && t(`operations.webhooks.statuses.${status}`),
    isSecondary: true,
  },
  {
    id: 'lastDelivery',
    label: t('operations.webhooks.lastDelivery'),
    cell: ({ last_delivery_at: at }) => <Moment at={at} />,
    isSecondary: true,
  },
]

/** On, off, or on with failures. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  if (!webhook.enabled) return <Badge>{t('operations.webhooks.off')}</Badge>
  if (webhook.consecutive_failures > 0) {
    return <Badge tone="danger">{t('operations.webhooks.failing')}</Badge>
  }
  return <Badge tone="success">{t('operations.webhooks.on')}</Badge>
}

const actionsOf = (webhook: Webhook): readonly RowAction[] => [deleteAction(webhook)]

/** Deletes a webhook, after confirmation. */
export function deleteAction({ id, name }: Webhook): RowAction {
  return {
    id: 'delete',
    label: t('operations.webhooks.delete'),
    icon: 'trash-2',
    isDangerous: true,
    confirm: {
      title: t('operations.webhooks.deleteTitle', { name }),
      text: t('operations.webhooks.deleteText'),
      action: t('operations.webhooks.delete'),
    },
    done: t('operations.webhooks.deleted'),
    run: () => api.send('DELETE', `${webhooksPath}/${id}`),
  }
}
