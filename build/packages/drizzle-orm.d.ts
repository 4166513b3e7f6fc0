/**
 * Our declarations of drizzle-orm, because its own reach those of every driver that it supports. In
 * drizzle-orm.check.ts, the compiler checks that drizzle has all of this.
 */

/** A piece of SQL, with values that are sent as bound parameters. */
export interface SQL<T = unknown> extends SQLWrapper {
  readonly _: { readonly brand: 'SQL'; readonly type: T }
  /** Adds a piece to the end of this one, and returns this one. */
  append(sql: SQL): this
  /** Returns this piece if the condition is truthy; `undefined` in a template adds nothing. */
  if(condition: unknown): this | undefined
}

/** Anything that can be used as SQL, such as a query in parentheses. */
export interface SQLWrapper {
  getSQL(): SQL
  shouldOmitSQLParens?(): boolean
}

/** The quoted name of a table or column. */
export interface Name extends SQLWrapper {
  readonly value: string
}

/** A bound parameter. */
export interface Param<T = unknown> extends SQLWrapper {
  readonly value: T
}

/** A value that is bound when a prepared statement runs. */
export interface Placeholder<T extends string = string> extends SQLWrapper {
  readonly name: T
}

/** Creates SQL from a template: an inserted value becomes a bound parameter unless it is SQL itself. */
export declare const sql: {
  <T = unknown>(strings: TemplateStringsArray, ...params: unknown[]): SQL<T>
  /** Empty SQL. */
  empty(): SQL
  /** Several pieces as a list, with a separator in between. */
  join(pieces: (SQLWrapper | Param | Placeholder)[], separator?: SQL): SQL
  /** SQL from unescaped text. Never use any part of a request in it. */
  raw(text: string): SQL
  /** The quoted name of a table or column. */
  identifier(name: string): Name
  /** A bound parameter, for use outside templates. */
  param<T>(value: T): Param<T>
  /** A value that is bound when a prepared statement runs. */
  placeholder<T extends string>(name: T): Placeholder<T>
}
