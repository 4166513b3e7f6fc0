import { useQuery } from '@tanstack/react-query'
import type { ListedPlugin } from '../../../../../../../client/admin.ts'
import { admin } from '../../../ground/api/admin.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Badge } from '../../../ground/kit/badge/badge.tsx'
import { Drawer } from '../../../ground/kit/dialog/dialog.tsx'
import { EmptyState } from '../../../ground/kit/empty-state/empty-state.tsx'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { Page } from '../../../ground/kit/page/page.tsx'
import type { ResourceColumn } from '../../../ground/kit/resource-list/resource.ts'
import { ResourceTable } from '../../../ground/kit/resource-list/resource-table.tsx'
import { useListAddress } from '../../../ground/kit/resource-list/use-list-address.ts'
import { PluginDetail } from './plugin-detail.tsx'
import classes from './plugins.module.css'
import { RunsOn } from './runs-on.tsx'

const groups = ['off', 'own', 'core'] as const

const groupOf = ({ active, core }: ListedPlugin) => (active ? (core ? 'core' : 'own') : 'off')

/** The plugins of the service: disabled ones with the reason, the project's own, and those of Mortise. */
export default function PluginsScreen() {
  const { data, error } = useQuery({
    queryKey: ['plugins'],
    queryFn: ({ signal }) => admin.plugins({ signal }),
  })
  const { opened, open } = useListAddress([])
  const shown = data?.find(({ name }) => name === opened)
  return (
    <Page title={t('operations.plugins.title')}>
      <p className={classes.note}>{t('operations.plugins.note')}</p>
      <RunsOn />
      {data === undefined && error !== null && (
        <EmptyState icon="triangle-alert" title={t('operations.plugins.failed')}>
          {errorText(error)}
        </EmptyState>
      )}
      {data === undefined && error === null && <Skeleton lines={10} />}
      {groups.map((group) => (
        <Group
          key={group}
          group={group}
          plugins={(data ?? []).filter((plugin) => groupOf(plugin) === group)}
          onOpen={({ name }) => open(name)}
        />
      ))}
      <Drawer title={shown?.name ?? ''} isOpen={shown !== undefined} onClose={() => open(undefined)}>
        {shown !== undefined && <PluginDetail plugin={shown} />}
      </Drawer>
    </Page>
  )
}

interface GroupProps {
  readonly group: (typeof groups)[number]
  readonly plugins: readonly ListedPlugin[]
  readonly onOpen: (plugin: ListedPlugin) => void
}

function Group({ group, plugins, onOpen }: GroupProps) {
  const label = t(`operations.plugins.groups.${group}`)
  if (plugins.length === 0) return null
  return (
    <section className={classes.group} aria-label={label}>
      <h2>{label}</h2>
      <ResourceTable<ListedPlugin>
        label={label}
        columns={columns(group)}
        items={plugins}
        idOf={({ name }) => name}
        nameOf={({ name }) => name}
        onOpen={onOpen}
        onAction={() => undefined}
      />
    </section>
  )
}

const columns = (group: GroupProps['group']): readonly ResourceColumn<ListedPlugin>[] => [
  { id: 'name', label: t('operations.plugins.name'), cell: ({ name }) => name },
  group === 'off'
    ? { id: 'reason', label: t('operations.plugins.reason'), cell: ({ reason }) => reason }
    : {
        id: 'description',
        label: t('operations.plugins.description'),
        cell: ({ description }) => description,
        isSecondary: true,
      },
  {
    id: 'version',
    label: t('operations.plugins.version'),
    cell: ({ version }) => version,
    isSecondary: true,
  },
  { id: 'state', label: t('operations.plugins.state'), cell: (plugin) => <State plugin={plugin} /> },
]

function State({ plugin: { active } }: { readonly plugin: ListedPlugin }) {
  return active ? (
    <Badge tone="success">{t('operations.plugins.on')}</Badge>
  ) : (
    <Badge tone="warning">{t('operations.plugins.off')}</Badge>
  )
}
