import { useQuery } from '@tanstack/react-query'
import { api } from '../../ground/api/client.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { writtenLocale } from '../../ground/i18n/translate.ts'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import type { PanelWidget } from '../panel-items.ts'
import classes from './home.module.css'
import { Widget } from './widget.tsx'

/** A home page tile that shows the response of a plugin's route in the format that the plugin chose. */
export function PluginWidget({ widget }: { readonly widget: PanelWidget }) {
  const { id, label, icon = 'puzzle', source, display } = widget
  const { data, error } = useQuery({
    queryKey: ['widget', id],
    queryFn: ({ signal }) => api.send<unknown>('GET', source, { signal }),
  })
  return (
    <Widget title={label} icon={icon}>
      {error !== null && <p>{errorText(error)}</p>}
      {data === undefined && error === null ? <Skeleton /> : <Value value={data} display={display} />}
    </Widget>
  )
}

function Value({ value, display }: { readonly value: unknown; readonly display: string }) {
  if (display === 'number')
    return <p className={classes.number}>{Number(value).toLocaleString(writtenLocale())}</p>
  if (display === 'list' && Array.isArray(value)) return <List items={value} />
  if (display === 'table' && Array.isArray(value)) return <Table rows={value.filter(isRow)} />
  return <p>{textOf(value)}</p>
}

function List({ items }: { readonly items: readonly unknown[] }) {
  return (
    <ul className={classes.list}>
      {items.map((item) => (
        <li key={textOf(item)}>{textOf(item)}</li>
      ))}
    </ul>
  )
}

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null

function Table({ rows }: { readonly rows: readonly Row[] }) {
  const columns = Object.keys(rows[0] ?? {})
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={JSON.stringify(row)}>
            {columns.map((column) => (
              <td key={column}>{textOf(row[column])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
