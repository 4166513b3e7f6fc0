import { MortiseError } from '../../../../../../../client/client.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button, IconButton } from '../../../ground/kit/button/button.tsx'
import { Popover } from '../../../ground/kit/popover/popover.tsx'
import { lazyPart } from '../../../ground/lazy/lazy-part.ts'
import { usePeople } from '../data/use-people.ts'
import { useTitles } from '../data/use-titles.ts'
import type { List } from '../list-context.ts'
import { operatorLabel } from './edited-filter.ts'
import type { FilterField } from './fields.ts'
import { type Filter, isComplete, isPresence } from './filter.ts'
import classes from './filter-chips.module.css'
import { operandText } from './operand-text.ts'

const FilterEditor = lazyPart(() => import('./filter-editor.tsx'))

/** The filters of a list, each with its problem. In a file of its own, because most lists are opened without filters. */
export default function FilterChips({ list }: { readonly list: List }) {
  const { state, entries } = list
  const problems = problemsOf(list)
  const general = entries.error !== null && problems.other.length > 0 ? problems.other : []
  if (state.filters.length === 0 && general.length === 0) return null
  return (
    <ul className={classes.chips} aria-label={t('list.filters')}>
      {state.filters.map((filter, index) => (
        <Chip key={index} list={list} filter={filter} index={index} problem={problems.byFilter.get(index)} />
      ))}
      {general.map((message) => (
        <li key={message} role="alert" className={classes.problem}>
          {message}
        </li>
      ))}
      {state.filters.length > 1 && (
        <li>
          <Button size="s" look="plain" onPress={() => list.change({ filters: [] })}>
            {t('list.clearFilters')}
          </Button>
        </li>
      )}
    </ul>
  )
}

interface ChipProps {
  readonly list: List
  readonly filter: Filter
  readonly index: number
  readonly problem: string | undefined
}

function Chip({ list, filter, index, problem }: ChipProps) {
  const { state, change, fields } = list
  const text = useFilterText(filter, fields)
  const without = () => change({ filters: state.filters.filter((_, at) => at !== index) })
  return (
    <li className={classes.item}>
      <span className={`${classes.chip} ${problem === undefined ? '' : classes.wrong}`}>
        <Popover
          label={t('list.changeFilter')}
          trigger={
            <Button size="s" look="plain">
              {text}
            </Button>
          }
        >
          <FilterEditor
            fields={fields}
            filter={filter}
            problem={problem}
            onChange={(next) =>
              change(
                { filters: state.filters.map((each, at) => (at === index ? next : each)) },
                { replace: true },
              )
            }
          />
        </Popover>
        <IconButton size="s" icon="x" label={t('list.removeFilter', { filter: text })} onPress={without} />
      </span>
      {problem !== undefined && (
        <span role="alert" className={classes.problem}>
          {problem}
        </span>
      )}
    </li>
  )
}

/** A condition in words: "Author › Name contains Ada". */
function useFilterText(filter: Filter, fields: readonly FilterField[]): string {
  const field = fields.find(({ path }) => path === filter.path)
  const ids = filter.values.map(Number).filter(Number.isInteger)
  const titles = useTitles(field?.target === undefined ? [] : [{ type: field.target, ids }])
  const operand = field?.operand ?? 'text'
  const people = usePeople(operand === 'person')
  const start = `${field?.label ?? filter.path} ${operatorLabel(filter.operator, operand)}`
  if (isPresence(filter.operator)) return start
  if (!isComplete(filter)) return `${start} …`
  return `${start} ${operandText(filter, field, people ?? titles.get(field?.target?.name ?? ''))}`
}

/** The problems reported for the filters: `filters.$and.2.title.$gt` is about the third complete filter. */
function problemsOf({ entries: { error }, state: { filters } }: List) {
  const byFilter = new Map<number, string>()
  const other: string[] = []
  if (!(error instanceof MortiseError) || error.status !== 400) return { byFilter, other }
  const sent = [...filters.keys()].filter((index) => isComplete(filters[index] as Filter))
  for (const { path, message } of error.details) {
    const [, position] = /^filters\.\$and\.(\d+)(?:\.|$)/.exec(path) ?? []
    const index = position === undefined ? undefined : sent[Number(position)]
    if (index === undefined) other.push(`${path}: ${message}`)
    else byFilter.set(index, message)
  }
  return { byFilter, other }
}
