import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { SchemaChange } from '../../../../../../client/admin.ts'
import { useAccess } from '../../ground/access/access.ts'
import { api } from '../../ground/api/client.ts'
import { queryClient } from '../../ground/api/query-client.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { EmptyState } from '../../ground/kit/empty-state/empty-state.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { Facts } from '../../ground/kit/resource-list/facts.tsx'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import classes from './database.module.css'
import { PendingTable } from './pending-table.tsx'
import { type AppliedChange, databaseKey, type SyncAnswer } from './schema-change.ts'

const ApplyAll = lazyPart(() => import('./apply-all.tsx'))

/** The state of the database and its pending schema changes. */
export default function DatabaseScreen() {
  const [applied, setApplied] = useState<readonly AppliedChange[]>([])
  const mayWrite = useAccess().mayArea('database', 'write')
  const { data: pending, error } = useQuery({
    queryKey: [databaseKey, 'pending'],
    queryFn: ({ signal }) => api.send<readonly SchemaChange[]>('GET', '/database/preview', { signal }),
  })
  return (
    <Page title={t('operations.database.title')}>
      <Status />
      {error !== null && (
        <EmptyState icon="triangle-alert" title={t('operations.database.failed')}>
          {errorText(error)}
        </EmptyState>
      )}
      {pending === undefined && error === null && <Skeleton lines={4} />}
      {pending?.length === 0 && (
        <EmptyState icon="circle-check" title={t('operations.database.upToDate')}>
          {t('operations.database.upToDateText')}
        </EmptyState>
      )}
      {pending !== undefined && pending.length > 0 && (
        <section className={classes.pending} aria-label={t('operations.database.pending')}>
          <h2>{t('operations.database.pending')}</h2>
          <p>{t('operations.database.pendingText')}</p>
          <PendingTable label={t('operations.database.pending')} changes={pending} />
          {mayWrite && <SyncButtons pending={pending} onApplied={setApplied} />}
        </section>
      )}
      <Copies applied={applied} />
    </Page>
  )
}

function Status() {
  const { data } = useQuery({
    queryKey: [databaseKey, 'status'],
    queryFn: ({ signal }) =>
      api.send<{ readonly dialect: string; readonly tables: number }>('GET', '/database/status', { signal }),
  })
  if (data === undefined) return null
  return (
    <Facts
      isWide
      facts={[
        [t('operations.database.dialect'), data.dialect],
        [t('operations.database.tables'), data.tables],
      ]}
    />
  )
}

interface SyncButtonsProps {
  readonly pending: readonly SchemaChange[]
  readonly onApplied: (applied: readonly AppliedChange[]) => void
}

function SyncButtons({ pending, onApplied }: SyncButtonsProps) {
  const [isAsking, setAsking] = useState(false)
  function finish({ applied }: SyncAnswer) {
    setAsking(false)
    onApplied(applied)
    toast('success', t('operations.database.applied', { count: applied.length }))
    void queryClient.invalidateQueries({ queryKey: [databaseKey] })
  }
  const safely = useMutation({
    mutationFn: () => api.send<SyncAnswer>('POST', '/database/safe-sync', { body: {} }),
    onSuccess: finish,
    onError: (error) => toast('danger', errorText(error)),
  })
  return (
    <div className={classes.buttons}>
      <Button isPending={safely.isPending} onPress={() => safely.mutate()}>
        {t('operations.database.apply')}
      </Button>
      {pending.some(({ safe }) => !safe) && (
        <Button look="danger" onPress={() => setAsking(true)}>
          {t('operations.database.applyAll')}
        </Button>
      )}
      {isAsking && (
        <Suspense fallback={null}>
          <ApplyAll pending={pending} onDone={finish} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** The backup tables with data removed by the last sync. */
function Copies({ applied }: { readonly applied: readonly AppliedChange[] }) {
  const tables = [...new Set(applied.flatMap(({ backup }) => backup ?? []))]
  if (tables.length === 0) return null
  return <p role="status">{t('operations.database.copies', { tables: tables.join(', ') })}</p>
}
