import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { errorText } from '../../i18n/problem-text.ts'
import { Confirm } from '../dialog/dialog.tsx'
import { toast } from '../toast/toast.tsx'
import type { RowAction } from './resource.ts'

/** Runs row actions, after asking for confirmation if needed. */
export interface RowActions {
  readonly start: (action: RowAction) => void
  /** The id of the action in progress. */
  readonly pending: string | undefined
  /** The confirmation dialog; render it once. */
  readonly question: ReactNode
}

/** After an action, all queries of the resource are reloaded. */
export function useRowActions(key: string): RowActions {
  const [asked, ask] = useState<RowAction>()
  const [isAsking, setAsking] = useState(false)
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (action: RowAction) => action.run(),
    onSuccess: (_result, { done }) => done !== undefined && toast('success', done),
    onError: (error) => toast('danger', errorText(error)),
    onSettled: () => {
      setAsking(false)
      return queryClient.invalidateQueries({ queryKey: [key] })
    },
  })
  function start(action: RowAction) {
    if (action.confirm === undefined) return mutate(action)
    ask(action)
    setAsking(true)
  }
  return {
    start,
    pending: isPending ? variables.id : undefined,
    question: asked?.confirm !== undefined && (
      <Confirm
        title={asked.confirm.title}
        action={asked.confirm.action}
        isOpen={isAsking}
        isDangerous={asked.isDangerous ?? false}
        isPending={isPending}
        onConfirm={() => mutate(asked)}
        onClose={() => setAsking(false)}
      >
        {asked.confirm.text}
      </Confirm>
    ),
  }
}
