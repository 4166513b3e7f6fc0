import xxhash from 'xxhash-wasm'
import type { ArticleInput } from '../data.ts'
import { openMysql } from './mysql.ts'
import { openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'
import {
  type Article,
  type Eventually,
  type FloorStore,
  type ListFilter,
  type ListOrder,
  listFilters,
  type Page,
} from './store.ts'

// The floor's responses, independent of the bare server that sends them: the routes that the scenarios use, with the service's
// responses. No validation, no log; the credentials are one constant.

export interface Answer {
  readonly status: 200 | 201 | 401 | 404 | 500
  readonly body: string
}

export const notAllowed: Answer = {
  status: 401,
  body: '{"success":false,"error":{"code":"UNAUTHENTICATED"}}',
}
export const notFound: Answer = { status: 404, body: '{"success":false,"error":{"code":"NOT_FOUND"}}' }
export const failed: Answer = { status: 500, body: '{"success":false,"error":{"code":"INTERNAL_ERROR"}}' }

/** The path of articles; existing ones are one segment below. */
export const articlesPath = '/api/content/article'

/** Reads a query parameter by name. */
export type QueryReader = (name: string) => string | undefined

/** Results of SQLite are synchronous, those of database servers asynchronous. */
export interface FloorRoutes {
  readArticle(id: number): Eventually<Answer>
  listArticles(query: QueryReader): Eventually<Answer>
  createArticle(body: string): Eventually<Answer>
}

/** The start options of the floor's servers. */
export interface FloorSettings {
  readonly routes: FloorRoutes
  /** The expected `Authorization` header. */
  readonly authorization: string
  readonly port: number
}

function requireVariable(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`the floor needs ${name}; bench/run.ts sets it`)
  return value
}

export function readSettings(): FloorSettings {
  return {
    routes: createRoutes(openStore(requireVariable('DATABASE_URL'))),
    authorization: `Bearer ${requireVariable('FLOOR_TOKEN')}`,
    port: Number(requireVariable('PORT')),
  }
}

function openStore(databaseUrl: string): FloorStore {
  if (databaseUrl.startsWith('sqlite:')) return openSqlite(databaseUrl.slice('sqlite:'.length))
  if (databaseUrl.startsWith('postgres:')) return openPostgres(databaseUrl)
  return openMysql(databaseUrl)
}

const createRoutes = (store: FloorStore): FloorRoutes => ({
  readArticle: (id) => andThen(store.readArticle(id), answerArticle),
  listArticles(query) {
    const limit = Number(query('limit'))
    const offset = Number(query('offset') ?? 0)
    return andThen(readPage(store, query, limit, offset), (page) => answerPage(page, limit, offset))
  },
  createArticle: (body) => andThen(store.createArticle(JSON.parse(body) as ArticleInput), answerCreated),
})

function andThen<T>(result: Eventually<T>, toAnswer: (result: T) => Answer): Eventually<Answer> {
  return result instanceof Promise ? result.then(toAnswer) : toAnswer(result)
}

const answerArticle = (article: Article | undefined): Answer =>
  article === undefined ? notFound : { status: 200, body: JSON.stringify({ success: true, data: article }) }

const answerCreated = (article: Article): Answer => ({
  status: 201,
  body: JSON.stringify({ success: true, data: article }),
})

function answerPage({ articles, total }: Page, limit: number, offset: number): Answer {
  const pagination = { total, limit, offset, hasMore: offset + articles.length < total }
  return { status: 200, body: JSON.stringify({ success: true, data: articles, pagination }) }
}

function readPage(store: FloorStore, query: QueryReader, limit: number, offset: number): Eventually<Page> {
  for (const filter of listFilters) {
    const value = query(filterNames[filter])
    if (value !== undefined) return store.listFiltered(filter, value, limit)
  }
  if (query('populate') !== undefined) return store.listPopulated(limit, offset)
  return store.listArticles({ order: orderNames[query('sort') ?? ''] ?? 'id', limit, offset })
}

const filterNames: Readonly<Record<ListFilter, string>> = {
  featured: 'filters[title][$contains]',
  author: 'filters[author][name][$eq]',
  category: 'filters[categories][slug][$eq]',
}

const orderNames: Readonly<Record<string, ListOrder>> = { 'created_at:desc': 'newest', title: 'title' }

/** Names and values in turn. */
type HeaderLines = readonly string[]

const least: HeaderLines = ['content-type', 'application/json; charset=utf-8']
const sendsAll = process.env.FLOOR_HEADERS === 'all'
const { h64Raw } = await xxhash()
let sent = 0

/**
 * The body with its headers: the content type and, if requested, the service's headers: an ETag of the bytes, the request id, and
 * headers for caches and browsers.
 */
export function encodeAnswer({ body }: Answer): {
  readonly body: string | Buffer
  readonly lines: HeaderLines
} {
  if (!sendsAll) return { body, lines: least }
  const bytes = Buffer.from(body)
  sent += 1
  const lines = [
    ...[...least, 'x-request-id', `floor-${sent.toString(36)}`, 'x-content-type-options', 'nosniff'],
    ...['vary', 'authorization', 'vary', 'accept-encoding', 'etag', `W/"${h64Raw(bytes).toString(36)}"`],
  ]
  return { body: bytes, lines }
}
