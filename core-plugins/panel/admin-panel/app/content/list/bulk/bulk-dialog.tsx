import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Dialog } from '../../../ground/kit/dialog/dialog.tsx'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { titleOf } from '../data/use-titles.ts'
import type { List } from '../list-context.ts'
import classes from './bulk.module.css'
import { type BulkAction, isDangerous } from './bulk-actions.ts'
import { type Change, ChangeForm } from './change-form.tsx'
import { type ActionOutcome, type ActionProblem, runAction } from './run-action.ts'
import { forgetEntries, undoOf } from './undo.ts'

export interface BulkDialogProps {
  readonly list: List
  readonly action: BulkAction
  readonly ids: readonly number[]
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Asks for confirmation of an action, runs it, and shows what prevented it. */
export function BulkDialog({ list, action, ids, onClose, onDone }: BulkDialogProps) {
  const [change, setChange] = useState<Change>()
  const [done, setDone] = useState(0)
  const { mutate, isPending, data } = useRun(list, action, onDone)
  const count = ids.length
  const isReady = action !== 'change' || change !== undefined
  return (
    <Dialog
      isOpen
      size={action === 'change' ? 'm' : 's'}
      title={t(`list.bulk.${action}.title`, { count })}
      isDismissable={!isPending}
      isUnsaved={change !== undefined && !isPending}
      onClose={onClose}
      actions={
        <>
          <Button isDisabled={isPending} onPress={onClose}>
            {t('kit.cancel')}
          </Button>
          <Button
            look={isDangerous(action) ? 'danger' : 'primary'}
            isPending={isPending}
            isDisabled={!isReady}
            onPress={() =>
              mutate({ ids, ...(change !== undefined && { data: change }), onProgress: setDone })
            }
          >
            {t(`list.bulk.${action}.do`, { count })}
          </Button>
        </>
      }
    >
      {action === 'change' ? (
        <ChangeForm list={list} onChange={setChange} />
      ) : (
        <p>{t(consequence(list, action), { count })}</p>
      )}
      {isPending && done > 0 && <p role="status">{t('list.progress', { done, count })}</p>}
      {data !== undefined && <Problems list={list} problems={data.problems} />}
    </Dialog>
  )
}

interface RunInput {
  readonly ids: readonly number[]
  readonly data?: Change
  readonly onProgress: (done: number) => void
}

function useRun({ type }: List, action: BulkAction, onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: RunInput): Promise<ActionOutcome> => runAction({ type, action, ...input }),
    onSuccess({ count, problems, batch }) {
      if (count > 0) {
        forgetEntries(queries, type)
        const undo = batch === undefined ? undefined : undoOf(batch, queries, type)
        toast('success', t(`list.bulk.${action}.done`, { count }), undo)
      }
      if (problems.length === 0) onDone()
    },
  })
}

/** The consequence of the action, shown before it runs. */
function consequence({ type }: List, action: Exclude<BulkAction, 'change'>) {
  if (action === 'delete') {
    return type.options.softDelete === true ? 'list.bulk.delete.intoTrash' : 'list.bulk.delete.forGood'
  }
  return `list.bulk.${action}.text` as const
}

function Problems({ list, problems }: { readonly list: List; readonly problems: readonly ActionProblem[] }) {
  if (problems.length === 0) return null
  const { rows } = list.entries
  return (
    <ul role="alert" className={classes.problems}>
      {problems.map(({ id, message }) => {
        const row = rows.find((each) => each.id === id)
        return (
          <li key={`${id} ${message}`}>
            {id !== undefined && (
              <span className={classes.entry}>
                {row === undefined ? `#${id}` : titleOf(list.type, row)}:{' '}
              </span>
            )}
            {message}
          </li>
        )
      })}
    </ul>
  )
}
