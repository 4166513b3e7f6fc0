import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  type Answer,
  articlesPath,
  encodeAnswer,
  failed,
  notAllowed,
  notFound,
  readSettings,
} from './routes.ts'
import type { Eventually } from './store.ts'

// The floor on bare node:http; see uws-server.ts.

function send(response: ServerResponse, answer: Answer): void {
  const { body, lines } = encodeAnswer(answer)
  response.writeHead(answer.status, [...lines, 'content-length', String(Buffer.byteLength(body))])
  response.end(body)
}

/** Also sends results that arrive later; if the client has disconnected, that has no effect. */
function reply(response: ServerResponse, answer: Eventually<Answer>): void {
  if (!(answer instanceof Promise)) {
    send(response, answer)
    return
  }
  answer.then(
    (later) => send(response, later),
    (error) => {
      console.error(error)
      send(response, failed)
    },
  )
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const { routes, authorization, port } = readSettings()

function answer(request: IncomingMessage): Eventually<Answer> {
  const { method, url = '', headers } = request
  if (url === '/ready') return { status: 200, body: '{}' }
  if (headers.authorization !== authorization) return notAllowed
  if (url.startsWith(`${articlesPath}/`)) {
    return routes.readArticle(Number(url.slice(articlesPath.length + 1)))
  }
  if (!url.startsWith(articlesPath)) return notFound
  if (method === 'POST') return readBody(request).then(routes.createArticle)
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1))
  return routes.listArticles((name) => query.get(name) ?? undefined)
}

createServer((request, response) => reply(response, answer(request))).listen(port, '127.0.0.1')
