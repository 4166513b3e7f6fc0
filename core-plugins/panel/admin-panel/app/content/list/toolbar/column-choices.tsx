import { t } from '../../../ground/i18n/translate.ts'
import { Button, IconButton } from '../../../ground/kit/button/button.tsx'
import { Checkbox } from '../../../ground/kit/checkbox/checkbox.tsx'
import type { ShownColumn } from '../columns/shown-columns.ts'
import type { List } from '../list-context.ts'
import type { ChosenColumn } from '../state/list-state.ts'
import classes from './list-toolbar.module.css'

/** A box for each column, and buttons that move it. */
export default function ColumnChoices({
  list: { columns, allColumns, state, change },
}: {
  readonly list: List
}) {
  const shown = columns.filter(({ id }) => allColumns.some((column) => column.id === id))
  const hidden = allColumns.filter(({ id }) => !shown.some((column) => column.id === id))
  const show = (next: readonly ChosenColumn[]) =>
    change({ columns: next.map(withoutDetails) }, { replace: true })
  return (
    <div className={classes.choices}>
      {shown.map((column, index) => (
        <div key={column.id} className={classes.choice}>
          <Checkbox
            isSelected
            isDisabled={shown.length === 1}
            onChange={() => show(shown.filter(({ id }) => id !== column.id))}
          >
            {column.label}
          </Checkbox>
          <Mover column={column} by={-1} index={index} shown={shown} onMove={show} />
          <Mover column={column} by={1} index={index} shown={shown} onMove={show} />
        </div>
      ))}
      {hidden.map((column) => (
        <div key={column.id} className={classes.choice}>
          <Checkbox isSelected={false} onChange={() => show([...shown, column])}>
            {column.label}
          </Checkbox>
        </div>
      ))}
      {state.columns !== undefined && (
        <Button size="s" look="plain" onPress={() => change({ columns: undefined }, { replace: true })}>
          {t('list.usualColumns')}
        </Button>
      )}
    </div>
  )
}

interface MoverProps {
  readonly column: ShownColumn
  readonly by: 1 | -1
  readonly index: number
  readonly shown: readonly ShownColumn[]
  readonly onMove: (columns: readonly ChosenColumn[]) => void
}

function Mover({ column, by, index, shown, onMove }: MoverProps) {
  const other = shown[index + by]
  return (
    <IconButton
      size="s"
      icon={by === 1 ? 'arrow-down' : 'arrow-up'}
      label={t(by === 1 ? 'list.moveLater' : 'list.moveEarlier', { column: column.label })}
      isDisabled={other === undefined}
      onPress={() => {
        const next = [...shown]
        next.splice(index + by, 0, ...next.splice(index, 1))
        onMove(next)
      }}
    />
  )
}

const withoutDetails = ({ id, width }: ChosenColumn): ChosenColumn =>
  width === undefined ? { id } : { id, width }
