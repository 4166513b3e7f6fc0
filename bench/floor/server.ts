import uWS, { type HttpRequest, type HttpResponse } from 'uWebSockets.js'
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

// The floor: the routes that the scenarios use, on bare uWebSockets.js and the bare driver, with the service's
// answers. No framework, no validation, no log; the credentials are one constant. Little less can be done in
// front of the same database in the same runtime, so the ratio to it is what the service itself costs.

const notAllowed = '{"success":false,"error":{"code":"UNAUTHENTICATED"}}'
const notFound = '{"success":false,"error":{"code":"NOT_FOUND"}}'
const failed = '{"success":false,"error":{"code":"INTERNAL_ERROR"}}'

interface Answer {
  readonly status: string
  readonly body: string
}

function requireVariable(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`the floor needs ${name}; bench/run.ts sets it`)
  return value
}

function openStore(databaseUrl: string): FloorStore {
  if (databaseUrl.startsWith('sqlite:')) return openSqlite(databaseUrl.slice('sqlite:'.length))
  if (databaseUrl.startsWith('postgres:')) return openPostgres(databaseUrl)
  return openMysql(databaseUrl)
}

const answerArticle = (article: Article | undefined): Answer =>
  article === undefined
    ? { status: '404 Not Found', body: notFound }
    : { status: '200 OK', body: JSON.stringify({ success: true, data: article }) }

const answerCreated = (article: Article): Answer => ({
  status: '201 Created',
  body: JSON.stringify({ success: true, data: article }),
})

function answerPage({ articles, total }: Page, limit: number, offset: number): Answer {
  const pagination = { total, limit, offset, hasMore: offset + articles.length < total }
  return { status: '200 OK', body: JSON.stringify({ success: true, data: articles, pagination }) }
}

function readPage(store: FloorStore, request: HttpRequest, limit: number, offset: number): Eventually<Page> {
  for (const filter of listFilters) {
    const value = request.getQuery(filterNames[filter])
    if (value !== undefined) return store.listFiltered(filter, value, limit)
  }
  if (request.getQuery('populate') !== undefined) return store.listPopulated(limit, offset)
  return store.listArticles({ order: orderNames[request.getQuery('sort') ?? ''] ?? 'id', limit, offset })
}

const filterNames: Readonly<Record<ListFilter, string>> = {
  featured: 'filters[title][$contains]',
  author: 'filters[author][name][$eq]',
  category: 'filters[categories][slug][$eq]',
}

const orderNames: Readonly<Record<string, ListOrder>> = { 'created_at:desc': 'newest', title: 'title' }

const withHeaders = process.env.FLOOR_HEADERS === 'all'
const { h64Raw } = await xxhash()
let sent = 0

function send(response: HttpResponse, { status, body }: Answer): void {
  response.writeStatus(status).writeHeader('content-type', 'application/json; charset=utf-8')
  if (withHeaders) sendWithHeaders(response, body)
  else response.end(body)
}

/** As the service does: an ETag of the bytes, the id of the request, and what caches and browsers have to know. */
function sendWithHeaders(response: HttpResponse, body: string): void {
  const bytes = Buffer.from(body)
  sent += 1
  response
    .writeHeader('x-request-id', `floor-${sent.toString(36)}`)
    .writeHeader('x-content-type-options', 'nosniff')
    .writeHeader('vary', 'authorization')
    .writeHeader('vary', 'accept-encoding')
    .writeHeader('etag', `W/"${h64Raw(bytes).toString(36)}"`)
    .end(bytes)
}

/** Sends results of SQLite at once; results of a server come later, and are sent if the client is still there. */
function reply<T>(response: HttpResponse, result: Eventually<T>, toAnswer: (result: T) => Answer): void {
  if (!(result instanceof Promise)) {
    send(response, toAnswer(result))
    return
  }
  let isAborted = false
  response.onAborted(() => {
    isAborted = true
  })
  const sendLater = (answer: Answer): void => {
    if (!isAborted) response.cork(() => send(response, answer))
  }
  result.then(toAnswer).then(sendLater, (error) => {
    console.error(error)
    sendLater({ status: '500 Internal Server Error', body: failed })
  })
}

function readJson<T>(response: HttpResponse, use: (value: T) => void): void {
  const chunks: Buffer[] = []
  response.onAborted(() => {})
  response.onData((chunk, isLast) => {
    chunks.push(Buffer.from(chunk.slice(0)))
    if (isLast) use(JSON.parse(Buffer.concat(chunks).toString()))
  })
}

function startFloor(store: FloorStore, token: string, port: number): void {
  const authorization = `Bearer ${token}`
  const guarded =
    (handle: (response: HttpResponse, request: HttpRequest) => void) =>
    (response: HttpResponse, request: HttpRequest): void =>
      request.getHeader('authorization') === authorization
        ? handle(response, request)
        : send(response, { status: '401 Unauthorized', body: notAllowed })

  uWS
    .App()
    .get('/ready', (response) => send(response, { status: '200 OK', body: '{}' }))
    .get(
      '/api/content/article/:id',
      guarded((response, request) =>
        reply(response, store.readArticle(Number(request.getParameter(0))), answerArticle),
      ),
    )
    .get(
      '/api/content/article',
      guarded((response, request) => {
        const limit = Number(request.getQuery('limit'))
        const offset = Number(request.getQuery('offset') ?? 0)
        reply(response, readPage(store, request, limit, offset), (page) => answerPage(page, limit, offset))
      }),
    )
    .post(
      '/api/content/article',
      guarded((response) =>
        readJson<ArticleInput>(response, (input) =>
          reply(response, store.createArticle(input), answerCreated),
        ),
      ),
    )
    .listen('127.0.0.1', port, (socket) => {
      if (socket === false) throw new Error(`the floor cannot listen on port ${port}; is it taken?`)
    })
}

startFloor(
  openStore(requireVariable('DATABASE_URL')),
  requireVariable('FLOOR_TOKEN'),
  Number(requireVariable('PORT')),
)
