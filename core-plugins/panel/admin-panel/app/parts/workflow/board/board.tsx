import { useRef, useState } from 'react'
import type { EntryRow } from '../../../content/list/data/entry-row.ts'
import type { List } from '../../../content/list/list-context.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Select } from '../../../ground/kit/field/select.tsx'
import { useIsNarrow } from '../../../ground/kit/page/use-is-narrow.ts'
import classes from './board.module.css'
import { BoardColumn } from './board-column.tsx'
import { useMoves } from './use-moves.ts'

/** The entries of a list by the states of their workflow: a column each, or one at a time on a phone. */
export default function Board({ list }: { readonly list: List }) {
  const states = list.type.workflow?.states ?? []
  const isNarrow = useIsNarrow()
  const [chosen, choose] = useState(states[0]?.name ?? '')
  const moves = useMoves(list)
  const cards = useRef(new Map<number, EntryRow>())
  const shown = isNarrow ? states.filter(({ name }) => name === chosen) : states
  return (
    <>
      {isNarrow && (
        <Select
          label={t('board.state')}
          value={chosen}
          options={states.map(({ name, label }) => ({ value: name, label }))}
          onChange={choose}
        />
      )}
      <div className={classes.board}>
        {shown.map((state) => (
          <BoardColumn key={state.name} list={list} state={state} moves={moves} cards={cards.current} />
        ))}
      </div>
    </>
  )
}
