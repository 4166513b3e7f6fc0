import { t } from '../../ground/i18n/translate.ts'
import { EmptyState } from '../../ground/kit/empty-state/empty-state.tsx'
import classes from './calendar.module.css'
import { longDay } from './day-cell.tsx'
import { byDay, type Planned } from './planned.ts'
import { PlannedItem, type PlannedItemProps } from './planned-item.tsx'

export interface AgendaProps extends Omit<PlannedItemProps, 'item'> {
  readonly planned: readonly Planned[]
}

/** The calendar as a list of days with events, for narrow screens. */
export function Agenda({ planned, moves, onMove }: AgendaProps) {
  if (planned.length === 0) return <EmptyState icon="calendar" title={t('calendar.empty')} />
  const days = [...byDay(planned, moves.placeOf)]
  return (
    <div className={classes.agenda}>
      {days.map(([day, items]) => (
        <section key={day} className={classes.agendaDay}>
          <h2 className={classes.agendaTitle}>{longDay(day)}</h2>
          <ul className={classes.items}>
            {items.map((item) => (
              <PlannedItem key={item.key} {...{ item, moves, onMove }} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
