import type { QueryClient } from '@tanstack/react-query'
import { admin } from '../../../ground/api/admin.ts'
import type { DescribedType } from '../../../ground/api/content-types.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { type ToastAction, toast } from '../../../ground/kit/toast/toast.tsx'

interface Batch {
  readonly id: string
  readonly expires_at: string
}

/** An undo action, valid as long as the service keeps the old state. */
export function undoOf(batch: Batch, queries: QueryClient, type: DescribedType): ToastAction {
  return {
    label: t('list.undo'),
    availableMs: Math.max(Date.parse(batch.expires_at) - Date.now(), 0),
    onAction: () => void undo(batch, queries, type),
  }
}

async function undo({ id }: Batch, queries: QueryClient, type: DescribedType) {
  try {
    const { count, leftOut } = await admin.revertBatch(id)
    forgetEntries(queries, type)
    const text = t('list.undone', { count })
    if (leftOut.length === 0) toast('success', text)
    else toast('info', `${text} ${t('list.notUndone', { count: leftOut.length })}`)
  } catch (error) {
    toast('danger', errorText(error))
  }
}

/** Reloads all queries about a type. */
export function forgetEntries(queries: QueryClient, { name }: DescribedType) {
  for (const kind of ['entries', 'titles', 'entry'])
    void queries.invalidateQueries({ queryKey: [kind, name] })
}
