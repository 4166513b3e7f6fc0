import { createServer } from 'node:http'
import { readRecordedAnswer } from './recorded-answer.ts'

/* Like echo-uws.ts, on bare node:http: with precomputed headers and a single write of the response, which is its fastest way. */

const { status, headers, body } = readRecordedAnswer()
const code = Number.parseInt(status, 10)
const bytes = Buffer.from(body)
const lines = headers.flat()
if (bytes.length > 0) lines.push('content-length', String(bytes.length))

createServer(({ url }, response) => {
  response.writeHead(url === '/ready' ? 200 : code, lines)
  response.end(bytes)
}).listen(Number(process.env.PORT), '127.0.0.1')
