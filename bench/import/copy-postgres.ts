import postgres from 'postgres'
import { type CopiedRows, type Copy, quoted } from './copied-rows.ts'

/** Reads and sends all values as text, as the driver does with most values. */
export function openPostgresCopy(from: string, to: string): Copy {
  const source = postgres(from, { max: 1, onnotice: () => {} })
  const target = postgres(to, { max: 1, onnotice: () => {}, types: { texts } })
  const columnsOf = new Map<string, readonly string[]>()

  async function columns(table: string): Promise<readonly string[]> {
    const known = columnsOf.get(table)
    if (known !== undefined) return known
    const found = await source<{ name: string }[]>`select column_name as name from information_schema.columns
      where table_schema = current_schema() and table_name = ${table} order by ordinal_position`
    const names = found.map(({ name }) => name)
    columnsOf.set(table, names)
    return names
  }

  return {
    async read(tables, first, last) {
      const batch: CopiedRows[] = []
      for (const { name, rowsOf } of tables) {
        const names = await columns(name)
        const texts = names.map((column) => `${quoted(column, 'postgres')}::text`).join()
        const found = await source
          .unsafe(`select ${texts} from ${name} where ${rowsOf(first, last)}`)
          .values()
        batch.push({ table: name, columns: names, rows: found as unknown as unknown[][] })
      }
      return batch
    },
    async insert(batch) {
      await target.begin(async (sql) => {
        await Promise.all(
          batch
            .filter(({ rows }) => rows.length > 0)
            .map((part) => sql.unsafe(statementOf(part), part.rows.flat() as string[], { prepare: true })),
        )
      })
    },
    async close() {
      await source.end()
      await target.end()
    },
  }
}

/** Booleans, JSON and times stay text. */
const texts = {
  to: 16,
  from: [16, 114, 3802, 1082, 1114, 1184],
  serialize: (value: string) => value,
  parse: (value: string) => value,
}

function statementOf({ table, columns, rows }: CopiedRows): string {
  const names = columns.map((name) => quoted(name, 'postgres')).join()
  const values = rows.map((_, row) => {
    const places = columns.map((_name, column) => `$${row * columns.length + column + 1}`)
    return `(${places.join()})`
  })
  return `insert into ${table} (${names}) overriding system value values ${values.join()}`
}
