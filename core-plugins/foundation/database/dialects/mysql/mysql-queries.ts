import { exactDecimal } from '../../decimal.ts'
import { decodePoint } from '../../point.ts'
import type { KnownTables } from '../../schema/known-tables.ts'
import { type CompiledStatement, insertedTable } from '../../statements/compiled-statement.ts'
import type { Queries, Recipient, RunResult } from '../../statements/query-target.ts'
import { compileRowBuilder, type Decode, isFor, type RowBuilder } from '../../statements/row-builder.ts'
import type { Row, Statement, Values } from '../../statements/statement.ts'
import { convertedValue } from '../../sync/conversion.ts'
import type { ColumnKind } from '../../tables/column-kind.ts'
import type { MysqlField, MysqlResult } from './mysql-connection.ts'
import { classifyMysqlError } from './mysql-error.ts'

type Send = (text: string, parameters: unknown[], recipient?: Recipient) => Promise<MysqlResult>

/** Runs queries on a single connection, or on one of a pool. */
export class MysqlQueries implements Queries {
  readonly #send: Send
  readonly #tables: KnownTables

  constructor(send: Send, tables: KnownTables) {
    this.#send = send
    this.#tables = tables
  }

  async all<R>(statement: Statement<R>, values?: Values, recipient?: Recipient): Promise<R[]> {
    const compiled = statement as CompiledStatement<R>
    return buildRows(compiled, await this.#run(compiled, values, recipient))
  }

  async get<R>(statement: Statement<R>, values?: Values, recipient?: Recipient): Promise<R | undefined> {
    const compiled = statement as CompiledStatement<R>
    return buildRows(compiled, await this.#run(compiled, values, recipient))[0]
  }

  async run(statement: Statement<Row>, values?: Values): Promise<RunResult> {
    const compiled = statement as CompiledStatement
    const { changes, insertId } = await this.#run(compiled, values)
    if (insertId === 0) return { changes, insertId: 0 }
    const hasId = this.#tables.idColumn(insertedTable(compiled.text)) !== undefined
    return { changes, insertId: hasId ? Number(insertId) : 0 }
  }

  async #run<R>(
    statement: CompiledStatement<R>,
    values: Values | undefined,
    recipient?: Recipient,
  ): Promise<MysqlResult> {
    const bound = statement.bind(values)
    try {
      return await this.#send(statement.text, bound, recipient)
    } catch (error) {
      throw classifyMysqlError(error, this.#tables, statement.text)
    }
  }
}

function buildRows<R>(statement: CompiledStatement<R>, { rows, fields }: MysqlResult): R[] {
  if (rows.length === 0) return []
  const description = fields.flatMap(({ name, columnType }) => [name, columnType])
  // When a table has changed, the server prepares the statement again by itself, and returns other types.
  if (statement.described === undefined || !isFor(statement.described, description)) {
    statement.described = { description, build: rowBuilderOf(statement, fields) }
  }
  return statement.described.build(rows) as R[]
}

function rowBuilderOf<R>(statement: CompiledStatement<R>, fields: readonly MysqlField[]): RowBuilder {
  const aliases = fields.map((field) => statement.aliasOf(field.name))
  const kinds = aliases.map((alias) => statement.columns[alias])
  return compileRowBuilder(
    aliases,
    fields.map((field, index) => decoderOf(field, kinds[index])),
  )
}

// Type numbers of the protocol.
const decimalTypes = new Set([0, 246])
const otherNumberTypes = new Set([1, 2, 3, 4, 5, 8, 9])
const dayTypes = new Set([10])
const momentTypes = new Set([7, 12])

function decoderOf({ columnType }: MysqlField, kind: ColumnKind | undefined): Decode | undefined {
  if (kind === 'json') return JSON.parse
  const decode = typeDecoder(columnType)
  if (kind === undefined || isOfKind(columnType, kind)) return ofKind(kind) ?? decode
  return misfitDecoder(kind, decode)
}

function typeDecoder(columnType: number): Decode | undefined {
  if (decimalTypes.has(columnType)) return exactDecimal
  return momentTypes.has(columnType) ? isoMomentOf : undefined
}

/**
 * For a column that a later version of the schema has given another type while this process runs. Values that this
 * process writes into it meanwhile, such as times, are stored in the form in which they were sent.
 */
function misfitDecoder(kind: ColumnKind, decode: Decode | undefined): Decode {
  return (value: never) => {
    const isSent = kind === 'datetime' && isText(value) && sentMoment.test(value)
    const read = decode === undefined ? value : decode(value)
    return convertedValue(isSent ? isoMomentOf(value) : read, { kind })
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

const sentMoment = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/

function isOfKind(columnType: number, kind: ColumnKind): boolean {
  const isNumber = otherNumberTypes.has(columnType) || decimalTypes.has(columnType)
  if (kind === 'date') return dayTypes.has(columnType)
  if (kind === 'datetime') return momentTypes.has(columnType)
  return kind === 'string' || kind === 'text' ? isOther(columnType) : isNumber
}

const isOther = (columnType: number) =>
  ![otherNumberTypes, decimalTypes, dayTypes, momentTypes].some((types) => types.has(columnType))

function ofKind(kind: ColumnKind | undefined): Decode | undefined {
  if (kind === 'boolean') return (value: number) => Number(value) === 1
  return kind === 'point' ? decodePoint : undefined
}

/** `2026-01-31 08:00:00.120`; the driver omits the fraction if it is 0. */
function isoMomentOf(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, 23).padEnd(3, '0')}Z`
}
