import type { ColumnKind } from '../../column-kind.ts'
import { type CompiledStatement, insertedTable } from '../../compiled-statement.ts'
import { DatabaseError } from '../../database-error.ts'
import type { KnownTables } from '../../known-tables.ts'
import { decodePoint } from '../../point.ts'
import type { Queries, Recipient, RunResult } from '../../query-target.ts'
import { compileRowBuilder, type Decode, type RowBuilder } from '../../row-builder.ts'
import type { Row, Statement, Values } from '../../statement.ts'
import type { PostgresResult } from './postgres-client.ts'
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
      (result) => ({ changes: result.count ?? 0, insertId: answersIds ? Number(result[0]?.[0] ?? 0) : 0 }),
      this.#fail,
    )
  }

  readonly #fail = (error: unknown): never => {
    throw classifyPostgresError(error, this.#tables)
  }

  /** An insert returns the generated id only if asked for it. */
  #insertText(text: string): string {
    const id = this.#tables.idColumn(insertedTable(text))
    const isAsked = /\breturning\b/i.test(text)
    return id === undefined || isAsked ? text : `${text} returning "${id}"`
  }
}

function buildRows<R>(statement: CompiledStatement<R>, result: PostgresResult): R[] {
  if (result.length === 0) return []
  statement.rowBuilder ??= rowBuilderOf(statement, namesOf(result))
  return statement.rowBuilder(result) as R[]
}

function rowBuilderOf<R>(statement: CompiledStatement<R>, names: readonly string[]): RowBuilder {
  const aliases = names.map((name) => statement.aliasOf(name))
  return compileRowBuilder(
    aliases,
    aliases.map((alias) => decoderOf(statement.columns[alias])),
  )
}

function decoderOf(kind: ColumnKind | undefined): Decode | undefined {
  if (kind === 'json') return JSON.parse
  return kind === 'point' ? decodePoint : undefined
}

function namesOf({ columns }: PostgresResult): string[] {
  if (columns === undefined) throw new DatabaseError('other', 'the server answered rows without columns')
  return columns.map((column) => column.name)
}
