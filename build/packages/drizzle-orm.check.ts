import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type * as declared from './drizzle-orm.d.ts'

/* Does not compile if drizzle-orm lacks something that the package declares of it. */

export const template: typeof declared.sql = sql
export const piece: (sql: SQL<number>) => declared.SQL<number> = (piece) => piece
export const wrapper: (wrapper: SQLWrapper) => declared.SQLWrapper = (wrapper) => wrapper
