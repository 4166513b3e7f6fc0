import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { EntryRow } from '../../../content/list/data/entry-row.ts'
import { titleOf } from '../../../content/list/data/use-titles.ts'
import type { List } from '../../../content/list/list-context.ts'
import { stateNamed } from '../../../content/schema/state-named.ts'
import { rolesOf, type Way, waysFrom } from '../../../content/schema/ways.ts'
import { api } from '../../../ground/api/client.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { toast } from '../../../ground/kit/toast/toast.tsx'

/** A card on its way: it stands where it is to be, and goes back if the service refuses. */
export interface Move {
  readonly entry: EntryRow
  readonly from: string
  readonly to: string
}

export interface Moves {
  readonly pending: readonly Move[]
  readonly take: (entry: EntryRow, way: Way, comment?: string) => Promise<void>
  /** Takes the transition to a state if there is one that may be taken, and says why not otherwise. */
  readonly drop: (entry: EntryRow, to: string) => void
}

/** The state that the board has read an entry in. */
export const stateOf = ({ _meta }: EntryRow): string => String(_meta?.workflow_state ?? '')

/** Moves entries of a list from state to state. */
export function useMoves({ type, access }: Pick<List, 'type' | 'access'>): Moves {
  const queries = useQueryClient()
  const [pending, setPending] = useState<readonly Move[]>([])

  async function take(entry: EntryRow, { from, to }: Way, comment = '') {
    const move = { entry, from, to }
    setPending((moves) => [...moves, move])
    const path = `/content/${encodeURIComponent(type.name)}/${entry.id}/workflow/transition`
    try {
      await api.send('PUT', path, { body: { from, to, ...(comment !== '' && { comment }) } })
    } catch (error) {
      toast('danger', t('board.refused', { entry: titleOf(type, entry), reason: errorText(error) }))
    }
    // Also after a refusal: somebody else may have moved it.
    await queries.invalidateQueries({ queryKey: ['entries', type.name] })
    void queries.invalidateQueries({ queryKey: ['entry', type.name] })
    setPending((moves) => moves.filter((each) => each !== move))
  }

  function drop(entry: EntryRow, to: string) {
    const from = stateOf(entry)
    const way = waysFrom(type, from, access).find((each) => each.to === to)
    if (way?.isOpen === true) void take(entry, way)
    else toast('info', wayText(way, [labelOf(from), labelOf(to)]))
  }

  const labelOf = (name: string) => stateNamed(type, name)?.label ?? name

  return { pending, take, drop }
}

function wayText(way: Way | undefined, [from = '', to = '']: readonly string[]): string {
  if (way === undefined) return t('board.noWay', { from, to })
  const roles = rolesOf(way)
  return roles === '' ? t('board.mayNotUpdate') : t('board.notYours', { from, to, roles })
}
