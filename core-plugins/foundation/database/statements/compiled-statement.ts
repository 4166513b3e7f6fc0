import { is, Param, Placeholder, type SQL } from 'drizzle-orm'
import { DatabaseError } from '../database-error.ts'
import { shortenIdentifier } from '../tables/identifier.ts'
import type { DescribedRows } from './row-builder.ts'
import type { ColumnKinds, Row, Statement, StatementOptions, Values } from './statement.ts'

/** The source of a parameter's value: the values of a run, or the query itself. */
type Parameter = { readonly name: string } | { readonly constant: unknown }

/** Turns drizzle's SQL into text and parameters; every drizzle dialect does. */
export interface SqlCompiler {
  sqlToQuery(query: SQL): { sql: string; params: unknown[] }
  escapeName(name: string): string
}

/** Makes a drizzle dialect shorten names that the database would truncate or refuse. */
export function shortening<Compiler extends SqlCompiler>(compiler: Compiler): Compiler {
  const escapeName = compiler.escapeName.bind(compiler)
  compiler.escapeName = (name) => escapeName(shortenIdentifier(name))
  return compiler
}

interface CompiledOptions extends StatementOptions {
  readonly columns: ColumnKinds
}

/** The result of `prepare` for any database. Drivers use its identity as the key of what they cache for it. */
export class CompiledStatement<R = Row> implements Statement<R> {
  readonly text: string
  readonly columns: ColumnKinds
  readonly isCostly: boolean
  /** Set by drivers that learn the result's columns with its rows; these change when the table does. */
  described: DescribedRows | undefined
  /** Set by drivers whose inserts return an id only if their text asks for it. */
  insertText: string | undefined
  readonly #parameters: readonly Parameter[]
  readonly #aliases: ReadonlyMap<string, string>

  constructor(
    text: string,
    parameters: readonly Parameter[],
    { columns, isCostly = false }: CompiledOptions,
  ) {
    this.text = text
    this.columns = columns
    this.isCostly = isCostly
    this.#parameters = parameters
    this.#aliases = new Map(Object.keys(columns).map((alias) => [shortenIdentifier(alias), alias]))
  }

  /** The alias given to a column of the result; the database may have received a shortened one. */
  aliasOf(name: string): string {
    return this.#aliases.get(name) ?? name
  }

  /** Returns the values in the order of the parameters. @throws DatabaseError if one is missing */
  bind(values: Values | undefined): unknown[] {
    const bound = new Array<unknown>(this.#parameters.length)
    for (let index = 0; index < bound.length; index += 1) {
      const parameter = this.#parameters[index] as Parameter
      const value = 'name' in parameter ? values?.[parameter.name] : parameter.constant
      if (value === undefined) throw this.#missing(parameter)
      bound[index] = value
    }
    return bound
  }

  #missing(parameter: Parameter): DatabaseError {
    const what = 'name' in parameter ? `the placeholder ${parameter.name}` : 'a parameter'
    return new DatabaseError('other', `no value for ${what} of: ${this.text}`)
  }
}

/** Compiles a query once, to be run many times. */
export function compileStatement<R>(
  query: SQL,
  columns: ColumnKinds,
  compiler: SqlCompiler,
  options?: StatementOptions,
) {
  const { sql, params } = compiler.sqlToQuery(query)
  return new CompiledStatement<R>(sql, params.map(parameterOf), { ...options, columns })
}

/** Whether a statement was prepared as costly. */
export function isCostly(statement: Statement<unknown>): boolean {
  return (statement as CompiledStatement<unknown>).isCostly
}

function parameterOf(parameter: unknown): Parameter {
  const inner = is(parameter, Param) ? parameter.value : parameter
  return is(inner, Placeholder) ? { name: inner.name } : { constant: inner }
}

/** The table that a statement inserts into, if it is an insert. */
export function insertedTable(text: string): string | undefined {
  return /^\s*(?:insert|replace)\s+into\s+["`]?(\w+)/i.exec(text)?.[1]
}
