import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { errorText } from '../../i18n/problem-text.ts'
import { Confirm } from '../dialog/dialog.tsx'
import { toast } from '../toast/toast.tsx'
import type { RowAction } from './resource.ts'

/** Does what is chosen for a row, after the question that belongs to it. */
export interface RowActions {
  readonly start: (action: RowAction) => void
  /** The id of the one that is being done. */
  readonly pending: string | undefined
  /** The question; to be drawn once. */
  readonly question: ReactNode
}

/** Afterwards, everything that was read of the resource is read anew. */
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
