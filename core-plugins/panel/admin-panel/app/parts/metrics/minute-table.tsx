import type { MetricsMinute } from '../../../../../../client/admin.ts'
import { t } from '../../ground/i18n/translate.ts'
import type { ResourceColumn } from '../../ground/kit/resource-list/resource.ts'
import { ResourceTable } from '../../ground/kit/resource-list/resource-table.tsx'
import classes from './metrics.module.css'
import { bytes, milliseconds, percent, timeOf } from './units.ts'

/** The data of the charts as a table, newest minute first. */
export function MinuteTable({ minutes }: { readonly minutes: readonly MetricsMinute[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no pointer scrolls it by the keys
    <section className={classes.scroll} aria-label={t('operations.metrics.asTable')} tabIndex={0}>
      <ResourceTable<MetricsMinute>
        label={t('operations.metrics.lastHour')}
        columns={columns()}
        items={minutes.toReversed()}
        idOf={({ at }) => at}
        nameOf={({ at }) => timeOf(at)}
        onAction={() => undefined}
      />
    </section>
  )
}

const columns = (): readonly ResourceColumn<MetricsMinute>[] => [
  { id: 'at', label: t('operations.metrics.minute'), cell: ({ at }) => timeOf(at) },
  number('requests', t('operations.metrics.requests'), ({ requests }) => requests),
  number('failed', t('operations.metrics.failedRequests'), ({ failed }) => failed),
  { ...number('refused', t('operations.metrics.refused'), ({ refused }) => refused), isSecondary: true },
  {
    ...number('mean', t('operations.metrics.mean'), ({ meanMs }) => milliseconds(meanMs)),
    isSecondary: true,
  },
  { ...number('p95', t('operations.metrics.p95'), ({ p95Ms }) => milliseconds(p95Ms)), isSecondary: true },
  { ...number('busy', t('operations.metrics.busy'), ({ busy }) => percent(busy)), isSecondary: true },
  {
    ...number('memory', t('operations.metrics.memory'), ({ memoryBytes }) => bytes(memoryBytes)),
    isSecondary: true,
  },
]

const number = (id: string, label: string, cell: ResourceColumn<MetricsMinute>['cell']) => ({
  ...{ id, label, cell },
  align: 'end' as const,
})
