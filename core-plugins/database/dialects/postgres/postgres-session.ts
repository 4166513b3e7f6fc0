import {
  DatabaseError,
  type Queries,
  type Row,
  type RunResult,
  type Statement,
  type Values,
} from '../../database.ts'
import type { KnownTables } from '../../known-tables.ts'
import { compileRowBuilder, type RowBuilder } from '../../row-builder.ts'
import { type CompiledStatement, insertedTable } from '../../statement.ts'
import type { PostgresResult } from './postgres-client.ts'
import { classifyPostgresError } from './postgres-error.ts'

type Send = (text: string, parameters: unknown[]) => Promise<PostgresResult>

/** Queries over whatever sends them: one connection, or the least busy of several. */
export class PostgresQueries implements Queries {
  readonly #send: Send
  readonly #tables: KnownTables
  readonly #insertTexts: WeakMap<Statement<unknown>, string>

  constructor(send: Send, tables: KnownTables, insertTexts: WeakMap<Statement<unknown>, string>) {
    this.#send = send
    this.#tables = tables
    this.#insertTexts = insertTexts
  }

  all<R>(statement: Statement<R>, values?: Values): Promise<R[]> {
    const compiled = statement as CompiledStatement<R>
    return this.#send(compiled.text, compiled.bind(values)).then(
      (result) => buildRows(compiled, result),
      this.#fail,
    )
  }

  get<R>(statement: Statement<R>, values?: Values): Promise<R | undefined> {
    const compiled = statement as CompiledStatement<R>
    return this.#send(compiled.text, compiled.bind(values)).then(
      (result) => buildRows(compiled, result)[0],
      this.#fail,
    )
  }

  run(statement: Statement<Row>, values?: Values): Promise<RunResult> {
    const compiled = statement as CompiledStatement
    const text = this.#insertTexts.get(compiled) ?? this.#insertText(compiled)
    const answersIds = text !== compiled.text
    return this.#send(text, compiled.bind(values)).then(
      (result) => ({ changes: result.count ?? 0, insertId: answersIds ? Number(result[0]?.[0] ?? 0) : 0 }),
      this.#fail,
    )
  }

  readonly #fail = (error: unknown): never => {
    throw classifyPostgresError(error, this.#tables)
  }

  /** An insert answers the id that it made only when asked for it. */
  #insertText(statement: CompiledStatement): string {
    const id = this.#tables.idColumn(insertedTable(statement.text))
    const isAsked = /\breturning\b/i.test(statement.text)
    const text = id === undefined || isAsked ? statement.text : `${statement.text} returning "${id}"`
    this.#insertTexts.set(statement, text)
    return text
  }
}

function buildRows<R>(statement: CompiledStatement<R>, result: PostgresResult): R[] {
  if (result.length === 0) return []
  statement.rowBuilder ??= rowBuilderOf(statement, namesOf(result))
  return statement.rowBuilder(result) as R[]
}

function rowBuilderOf({ columns }: CompiledStatement<unknown>, names: readonly string[]): RowBuilder {
  return compileRowBuilder(
    names,
    names.map((name) => (columns[name] === 'json' ? JSON.parse : undefined)),
  )
}

function namesOf({ columns }: PostgresResult): string[] {
  if (columns === undefined) throw new DatabaseError('other', 'the server answered rows without columns')
  return columns.map((column) => column.name)
}
