import { DatabaseError } from '../../database-error.ts'
import { decodePoint } from '../../point.ts'
import type { KnownTables } from '../../schema/known-tables.ts'
import { type CompiledStatement, insertedTable } from '../../statements/compiled-statement.ts'
import type { Queries, Recipient, RunResult } from '../../statements/query-target.ts'
import { compileRowBuilder, type Decode, type DescribedRows, isFor } from '../../statements/row-builder.ts'
import type { Row, Statement, Values } from '../../statements/statement.ts'
import type { ColumnKind } from '../../tables/column-kind.ts'
import type { PostgresColumns, PostgresResult } from './postgres-client.ts'
import { classifyPostgresError } from './postgres-error.ts'

type Send = (text: string, parameters: unknown[], recipient?: Recipient) => Promise<PostgresResult>

/** Runs queries on a single connection, or on the least busy of several. */
export class PostgresQueries implements Queries {
  readonly #send: Send
  readonly #tables: KnownTables

  constructor(send: Send, tables: KnownTables) {
    this.#send = send
    this.#tables = tables
  }

  all<R>(statement: Statement<R>, values?: Values, recipient?: Recipient): Promise<R[]> {
    const compiled = statement as CompiledStatement<R>
    return this.#send(compiled.text, compiled.bind(values), recipient).then(
      (result) => buildRows(compiled, result),
      this.#fail,
    )
  }

  get<R>(statement: Statement<R>, values?: Values, recipient?: Recipient): Promise<R | undefined> {
    const compiled = statement as CompiledStatement<R>
    return this.#send(compiled.text, compiled.bind(values), recipient).then(
      (result) => buildRows(compiled, result)[0],
      this.#fail,
    )
  }

  run(statement: Statement<Row>, values?: Values): Promise<RunResult> {
    const compiled = statement as CompiledStatement
    compiled.insertText ??= this.#insertText(compiled.text)
    const answersIds = compiled.insertText !== compiled.text
    return this.#send(compiled.insertText, compiled.bind(values)).then(
      (result) => ({ changes: result.count, insertId: answersIds ? Number(result.rows[0]?.[0] ?? 0) : 0 }),
      this.#fail,
    )
  }

  readonly #fail = (error: unknown): never => {
    throw classifyPostgresError(error, this.#tables)
  }

  /** An insert returns the generated id only if its text asks for it. */
  #insertText(text: string): string {
    const id = this.#tables.idColumn(insertedTable(text))
    const isAsked = /\breturning\b/i.test(text)
    return id === undefined || isAsked ? text : `${text} returning "${id}"`
  }
}

// A connection answers a prepared statement with the same columns each time.
const builders = new WeakMap<PostgresColumns, DescribedRows>()

function buildRows<R>(statement: CompiledStatement<R>, { rows, columns }: PostgresResult): R[] {
  if (rows.length === 0) return []
  if (columns === undefined) throw new DatabaseError('other', 'the server answered rows without columns')
  const known = statement.described
  const described = known !== undefined && builders.get(columns) === known ? known : learn(statement, columns)
  return described.build(rows) as R[]
}

/** The columns may differ from the last result, since a table may have changed. */
function learn<R>(statement: CompiledStatement<R>, columns: PostgresColumns): DescribedRows {
  const names = columns.map(({ name }) => name)
  const known = statement.described
  const described = known !== undefined && isFor(known, names) ? known : describedRows(statement, names)
  statement.described = described
  builders.set(columns, described)
  return described
}

function describedRows<R>(statement: CompiledStatement<R>, names: readonly string[]): DescribedRows {
  const aliases = names.map((name) => statement.aliasOf(name))
  const decoders = aliases.map((alias) => decoderOf(statement.columns[alias]))
  return { description: names, build: compileRowBuilder(aliases, decoders) }
}

function decoderOf(kind: ColumnKind | undefined): Decode | undefined {
  if (kind === 'json') return JSON.parse
  return kind === 'point' ? decodePoint : undefined
}
