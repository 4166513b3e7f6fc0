import uWS, { type HttpRequest, type HttpResponse } from 'uWebSockets.js'
import { type Answer, articlesPath, encodeAnswer, failed, notAllowed, readSettings } from './routes.ts'
import type { Eventually } from './store.ts'

// The floor on bare uWebSockets.js and the bare driver, without a framework. Hardly less is possible in front of the same
// database in the same runtime, so the ratio to it is the service's own cost.

const statusLines: Readonly<Record<Answer['status'], string>> = {
  200: '200 OK',
  201: '201 Created',
  401: '401 Unauthorized',
  404: '404 Not Found',
  500: '500 Internal Server Error',
}

function send(response: HttpResponse, answer: Answer): void {
  const { body, lines } = encodeAnswer(answer)
  response.writeStatus(statusLines[answer.status])
  for (let index = 0; index < lines.length; index += 2) {
    response.writeHeader(lines[index] ?? '', lines[index + 1] ?? '')
  }
  response.end(body)
}

/** Sends results that arrive later, if the client is still connected. */
function reply(response: HttpResponse, answer: Eventually<Answer>): void {
  if (!(answer instanceof Promise)) {
    send(response, answer)
    return
  }
  let isAborted = false
  response.onAborted(() => {
    isAborted = true
  })
  const sendLater = (later: Answer): void => {
    if (!isAborted) response.cork(() => send(response, later))
  }
  answer.then(sendLater, (error) => {
    console.error(error)
    sendLater(failed)
  })
}

function readBody(response: HttpResponse, use: (text: string) => void): void {
  const chunks: Buffer[] = []
  response.onAborted(() => {})
  response.onData((chunk, isLast) => {
    chunks.push(Buffer.from(chunk.slice(0)))
    if (isLast) use(Buffer.concat(chunks).toString())
  })
}

const { routes, authorization, port } = readSettings()

const guarded =
  (handle: (response: HttpResponse, request: HttpRequest) => void) =>
  (response: HttpResponse, request: HttpRequest): void =>
    request.getHeader('authorization') === authorization
      ? handle(response, request)
      : send(response, notAllowed)

uWS
  .App()
  .get('/ready', (response) => send(response, { status: 200, body: '{}' }))
  .get(
    `${articlesPath}/:id`,
    guarded((response, request) => reply(response, routes.readArticle(Number(request.getParameter(0))))),
  )
  .get(
    articlesPath,
    guarded((response, request) =>
      reply(
        response,
        routes.listArticles((name) => request.getQuery(name)),
      ),
    ),
  )
  .post(
    articlesPath,
    guarded((response) => readBody(response, (body) => reply(response, routes.createArticle(body)))),
  )
  .listen('127.0.0.1', port, (socket) => {
    if (socket === false) throw new Error(`the floor cannot listen on port ${port}; is it taken?`)
  })
