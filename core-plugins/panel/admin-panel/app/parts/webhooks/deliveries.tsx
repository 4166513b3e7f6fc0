import type { WebhookDelivery, WebhookDeliveryStatus } from '../../../../../../client/admin.ts'
import { api } from '../../ground/api/client.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Badge } from '../../ground/kit/badge/badge.tsx'
import { Moment } from '../../ground/kit/resource-list/facts.tsx'
import type {
  EmptyResource,
  Resource,
  ResourceColumn,
  ResourceFilter,
  RowAction,
} from '../../ground/kit/resource-list/resource.ts'
import { ResourceList } from '../../ground/kit/resource-list/resource-list.tsx'
import { DeliveryDetail } from './delivery-detail.tsx'
import { deliveryStatuses, webhooksPath } from './webhook.ts'

interface DeliveriesProps {
  readonly label: string
  readonly resource: Resource
  readonly isFiltered: boolean
  /** Webhook names by id, for lists of several webhooks. */
  readonly webhookNames?: ReadonlyMap<number, string>
  readonly mayWrite: boolean
  readonly empty: EmptyResource
}

/** The deliveries with their outcomes. */
export function Deliveries(props: DeliveriesProps) {
  const { label, resource, isFiltered, webhookNames, mayWrite, empty } = props
  return (
    <ResourceList<WebhookDelivery>
      label={label}
      resource={resource}
      columns={columns(webhookNames)}
      nameOf={({ event, id }) => `${event} ${id}`}
      detailOf={(delivery) => <DeliveryDetail delivery={delivery} />}
      empty={empty}
      {...(isFiltered ? { filters: filters() } : {})}
      {...(mayWrite ? { actionsOf } : {})}
    />
  )
}

const columns = (webhookNames?: ReadonlyMap<number, string>): readonly ResourceColumn<WebhookDelivery>[] => [
  { id: 'event', label: t('operations.webhooks.event'), cell: ({ event }) => event },
  {
    id: 'status',
    label: t('operations.webhooks.state'),
    cell: ({ status }) => (
      <Badge tone={deliveryStatuses[status]}>{t(`operations.webhooks.statuses.${status}`)}</Badge>
    ),
  },
  ...(webhookNames === undefined
    ? []
    : [
        {
          id: 'webhook',
          label: t('operations.webhooks.webhook'),
          cell: ({ webhookId: id }: WebhookDelivery) => webhookNames.get(id) ?? '',
        },
      ]),
  {
    id: 'origin',
    label: t('operations.webhooks.origin'),
    cell: ({ origin }) => t(`operations.webhooks.origins.${origin}`),
    isSecondary: true,
  },
  {
    id: 'statusCode',
    label: t('operations.webhooks.statusCode'),
    cell: ({ statusCode }) => statusCode,
    align: 'end',
    isSecondary: true,
  },
  {
    id: 'attempt',
    label: t('operations.webhooks.attempt'),
    cell: ({ attempt }) => attempt,
    align: 'end',
    isSecondary: true,
  },
  {
    id: 'at',
    label: t('operations.webhooks.at'),
    cell: ({ created_at: at }) => <Moment at={at} />,
    isSecondary: true,
  },
]

const filters = (): readonly ResourceFilter[] => [
  {
    name: 'status',
    label: t('operations.webhooks.state'),
    kind: 'choice',
    options: (Object.keys(deliveryStatuses) as WebhookDeliveryStatus[]).map((value) => ({
      value,
      label: t(`operations.webhooks.statuses.${value}`),
    })),
  },
]

function actionsOf({ id, webhookId, status }: WebhookDelivery): readonly RowAction[] {
  if (status !== 'dead') return []
  return [
    {
      id: 'replay',
      label: t('operations.webhooks.replay'),
      icon: 'send',
      done: t('operations.webhooks.replayed'),
      run: () => api.send('POST', `${webhooksPath}/${webhookId}/replay/${id}`),
    },
  ]
}
