/**
 * What the package declares of drizzle-orm, whose own declarations reach those of every driver that it knows. The
 * compiler checks in drizzle-orm.check.ts that drizzle has all of it.
 */

/** A piece of SQL, with values that are sent as bound parameters. */
export interface SQL<T = unknown> extends SQLWrapper {
  readonly _: { readonly brand: 'SQL'; readonly type: T }
  /** Adds a piece to the end of this one, and returns this one. */
  append(sql: SQL): this
  /** Returns this piece if the condition is truthy; `undefined` in a template adds nothing. */
  if(condition: unknown): this | undefined
}

/** Whatever stands for a piece of SQL, such as a query in parentheses. */
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

/** The value of a parameter that is only known when a prepared statement runs. */
export interface Placeholder<T extends string = string> extends SQLWrapper {
  readonly name: T
}

/** Makes SQL of a template: what is inserted becomes a bound parameter unless it is SQL itself. */
export declare const sql: {
  <T = unknown>(strings: TemplateStringsArray, ...params: unknown[]): SQL<T>
  /** No SQL at all. */
  empty(): SQL
  /** Several pieces as a list, with a separator in between. */
  join(pieces: (SQLWrapper | Param | Placeholder)[], separator?: SQL): SQL
  /** SQL out of text, as it is. Never put anything of a request into it. */
  raw(text: string): SQL
  /** The quoted name of a table or column. */
  identifier(name: string): Name
  /** A bound parameter, where a template is not at hand. */
  param<T>(value: T): Param<T>
  /** A value that is only known when a prepared statement runs. */
  placeholder<T extends string>(name: T): Placeholder<T>
}
