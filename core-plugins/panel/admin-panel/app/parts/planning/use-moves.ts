import { useMutation, useQueryClient } from '@tanstack/react-query'
import { momentText } from '../../ground/i18n/moment-text.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { type Day, onDay } from './days.ts'
import type { Planned } from './planned.ts'

interface Move {
  readonly item: Planned
  readonly at: string
}

export interface Moves {
  /** Moves an item to the same time on another day. */
  toDay(item: Planned, day: Day): void
  to(item: Planned, moment: Date): void
  /** The time of an item, including a move in progress. */
  placeOf(item: Planned): string
}

/** Moves planned items, and offers to undo it. */
export function useMoves(): Moves {
  const queries = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ item, at }: Move) => item.move?.(at) ?? Promise.resolve(),
    onSuccess(_, { item, at }) {
      const undo = {
        label: t('calendar.undo'),
        onAction: () => mutate({ item: { ...item, at }, at: item.at }),
      }
      toast('success', t('calendar.moved', { title: item.title, time: momentText(at) }), undo)
    },
    onError: (error) => toast('danger', errorText(error)),
    // The item may be shown anywhere: in lists, forms, releases.
    onSettled: () => queries.invalidateQueries(),
  })

  function to(item: Planned, moment: Date) {
    if (item.move === undefined || moment.toISOString() === item.at) return
    if (moment.getTime() > Date.now()) mutate({ item, at: moment.toISOString() })
    else toast('danger', t('calendar.past'))
  }

  return {
    to,
    toDay: (item, day) => to(item, onDay(item.at, day)),
    placeOf: (item) => (isPending && variables.item.key === item.key ? variables.at : item.at),
  }
}
