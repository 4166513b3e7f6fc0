import type BetterSqlite from 'better-sqlite3'
import { DatabaseError } from '../../database-error.ts'
import type { KnownTables } from '../../schema/known-tables.ts'
import { type CompiledStatement, insertedTable } from '../../statements/compiled-statement.ts'
import type { Queries, RunResult } from '../../statements/query-target.ts'
import { compileRowBuilder, type RowBuilder } from '../../statements/row-builder.ts'
import type { Row, Statement, Values } from '../../statements/statement.ts'
import { addConversion } from './sqlite-conversion.ts'
import { sqliteDecoders } from './sqlite-dialect.ts'
import { classifySqliteError } from './sqlite-error.ts'
import { type NativeOptions, openNative } from './sqlite-native.ts'

/** A statement as prepared by one connection. */
interface Prepared {
  readonly native: BetterSqlite.Statement<unknown[]>
  /** Undefined for a statement that returns no rows. */
  readonly build: RowBuilder | undefined
  readonly hasInsertId: boolean
}

export interface SqliteConnectionOptions extends NativeOptions {
  readonly tables: KnownTables
}

/** One connection; all its methods are synchronous. */
export class SqliteConnection implements Queries {
  readonly #native: BetterSqlite.Database
  readonly #tables: KnownTables
  readonly #prepared = new WeakMap<Statement<unknown>, Prepared>()

  constructor({ tables, ...options }: SqliteConnectionOptions) {
    this.#native = attempt(() => openNative(options))
    this.#tables = tables
    addConversion(this.#native)
  }

  all<R>(statement: Statement<R>, values?: Values): R[] {
    const prepared = this.#prepare(statement as CompiledStatement<R>)
    const { native, build } = prepared
    try {
      const bound = (statement as CompiledStatement<R>).bind(values)
      if (build === undefined) {
        native.run(bound)
        return []
      }
      return build(native.all(bound) as unknown[][]) as R[]
    } catch (error) {
      throw classifySqliteError(error, this.#tables)
    }
  }

  /** Builds the rows of a read that another connection has run for this one. */
  build<R>(statement: Statement<R>, raw: unknown[][]): R[] {
    return (this.#prepare(statement as CompiledStatement<R>).build?.(raw) ?? []) as R[]
  }

  get<R>(statement: Statement<R>, values?: Values): R | undefined {
    const { native, build } = this.#prepare(statement as CompiledStatement<R>)
    if (build === undefined) throw new DatabaseError('other', `answers no rows: ${statement.text}`)
    try {
      const row = native.get((statement as CompiledStatement<R>).bind(values)) as unknown[] | undefined
      return row === undefined ? undefined : (build([row])[0] as R)
    } catch (error) {
      throw classifySqliteError(error, this.#tables)
    }
  }

  run(statement: Statement<Row>, values?: Values): RunResult {
    const { native, build, hasInsertId } = this.#prepare(statement as CompiledStatement)
    try {
      const bound = (statement as CompiledStatement).bind(values)
      if (build !== undefined) return { changes: native.all(bound).length, insertId: 0 }
      const { changes, lastInsertRowid } = native.run(bound)
      return { changes, insertId: hasInsertId ? Number(lastInsertRowid) - Math.max(changes - 1, 0) : 0 }
    } catch (error) {
      throw classifySqliteError(error, this.#tables)
    }
  }

  /** Whether a statement writes nothing. */
  isReadOnly(statement: Statement<unknown>): boolean {
    return this.#prepare(statement as CompiledStatement).native.readonly
  }

  get isInTransaction(): boolean {
    return this.#native.inTransaction
  }

  /** Runs statements without parameters. */
  execute(statements: string): void {
    attempt(() => this.#native.exec(statements))
  }

  pragma(text: string): Row[] {
    return attempt(() => this.#native.pragma(text) as Row[])
  }

  close(): void {
    this.#native.close()
  }

  #prepare<R>(statement: CompiledStatement<R>): Prepared {
    const known = this.#prepared.get(statement)
    if (known !== undefined) return known
    const prepared = attempt(() => this.#compile(statement))
    this.#prepared.set(statement, prepared)
    return prepared
  }

  #compile<R>(statement: CompiledStatement<R>): Prepared {
    const native = this.#native.prepare<unknown[]>(statement.text)
    const hasInsertId = this.#tables.idColumn(insertedTable(statement.text)) !== undefined
    if (!native.reader) return { native, build: undefined, hasInsertId }
    const names = native.columns().map((column) => statement.aliasOf(column.name))
    const decoders = names.map((name) => {
      const kind = statement.columns[name]
      return kind === undefined ? undefined : sqliteDecoders[kind]
    })
    return { native: native.raw(true), build: compileRowBuilder(names, decoders), hasInsertId }
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw classifySqliteError(error)
  }
}
