import { Suspense, useState } from 'react'
import { useSearchParams } from 'wouter'
import { zoneOf } from '../../ground/i18n/moment-text.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t, writtenLocale } from '../../ground/i18n/translate.ts'
import { Button, IconButton } from '../../ground/kit/button/button.tsx'
import { EmptyState } from '../../ground/kit/empty-state/empty-state.tsx'
import { Select } from '../../ground/kit/field/select.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { useIsNarrow } from '../../ground/kit/page/use-is-narrow.ts'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import { Agenda } from './agenda.tsx'
import classes from './calendar.module.css'
import { DayGrid } from './day-grid.tsx'
import {
  addDays,
  addMonths,
  type Day,
  dayOf,
  firstWeekdayOf,
  monthOf,
  parseDay,
  startOf,
  weekOf,
} from './days.ts'
import { type Planned, usePlanned } from './planned.ts'
import { useMoves } from './use-moves.ts'

const MovePlannedDialog = lazyPart(() => import('./move-planned-dialog.tsx'))
const FutureDialog = lazyPart(() => import('./future-dialog.tsx'))

type View = 'month' | 'week'

/** The publication calendar, by month or week. */
export default function Calendar() {
  const [search, setSearch] = useSearchParams()
  const [isAskingFuture, setAskingFuture] = useState(false)
  const view: View = search.get('view') === 'week' ? 'week' : 'month'
  const day = parseDay(search.get('date')) ?? dayOf(new Date())
  const go = (next: { readonly view?: View; readonly date?: Day }) =>
    setSearch({ view: next.view ?? view, date: next.date ?? day }, { replace: true })
  const ask = (
    <Button icon="eye" onPress={() => setAskingFuture(true)}>
      {t('calendar.futureAsk')}
    </Button>
  )
  return (
    <Page title={t('calendar.title')} actions={ask}>
      <Steps view={view} day={day} onGo={go} />
      <Shown view={view} day={day} onOpen={(date) => go({ view: 'week', date })} />
      {isAskingFuture && (
        <Suspense fallback={null}>
          <FutureDialog onClose={() => setAskingFuture(false)} />
        </Suspense>
      )}
    </Page>
  )
}

interface StepsProps {
  readonly view: View
  readonly day: Day
  readonly onGo: (next: { readonly view?: View; readonly date?: Day }) => void
}

/** Buttons to the previous and next month or week. */
function Steps({ view, day, onGo }: StepsProps) {
  const step = (count: number) => (view === 'month' ? addMonths(day, count) : addDays(day, 7 * count))
  return (
    <div className={classes.steps}>
      <IconButton icon="chevron-left" label={t('calendar.before')} onPress={() => onGo({ date: step(-1) })} />
      <IconButton icon="chevron-right" label={t('calendar.after')} onPress={() => onGo({ date: step(1) })} />
      <h2 className={classes.month} aria-live="polite">
        {titleOf(view, day)}
      </h2>
      <Button size="s" onPress={() => onGo({ date: dayOf(new Date()) })}>
        {t('calendar.today')}
      </Button>
      <Select
        label={t('calendar.view')}
        isLabelHidden
        value={view}
        onChange={(next) => onGo({ view: next === 'week' ? next : 'month' })}
        options={(['month', 'week'] as const).map((value) => ({ value, label: t(`calendar.${value}`) }))}
      />
    </div>
  )
}

function titleOf(view: View, day: Day): string {
  if (view === 'month')
    return startOf(day).toLocaleDateString(writtenLocale(), { month: 'long', year: 'numeric' })
  const days = weekOf(day, firstWeekdayOf(writtenLocale()))
  const format = new Intl.DateTimeFormat(writtenLocale(), { day: 'numeric', month: 'long', year: 'numeric' })
  return format.formatRange(startOf(days[0] ?? day), startOf(days.at(-1) ?? day))
}

interface ShownProps extends Pick<StepsProps, 'view' | 'day'> {
  readonly onOpen: (day: Day) => void
}

function Shown({ view, day, onOpen }: ShownProps) {
  const isNarrow = useIsNarrow()
  const first = firstWeekdayOf(writtenLocale())
  const weeks = view === 'month' ? monthOf(day, first) : [weekOf(day, first)]
  const { planned, error, hasMore } = usePlanned(weeks.flat())
  const moves = useMoves()
  const [moving, setMoving] = useState<Planned>()
  if (error !== null) return <EmptyState icon="triangle-alert" title={errorText(error)} />
  const month = view === 'month' ? day.slice(0, 'YYYY-MM'.length) : undefined
  return (
    <>
      {planned === undefined && <Skeleton lines={8} />}
      {planned !== undefined && isNarrow && <Agenda {...{ planned, moves }} onMove={setMoving} />}
      {planned !== undefined && !isNarrow && (
        <DayGrid
          label={titleOf(view, day)}
          {...{ weeks, planned, month, moves, onOpen }}
          onMove={setMoving}
        />
      )}
      {hasMore && <p>{t('calendar.hasMore')}</p>}
      <p className={classes.quiet}>{t('calendar.zone', { zone: zoneOf(startOf(day)) })}</p>
      {moving !== undefined && (
        <Suspense fallback={null}>
          <MovePlannedDialog
            item={moving}
            onMove={(moment) => moves.to(moving, moment)}
            onClose={() => setMoving(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
