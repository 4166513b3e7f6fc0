import { createServer } from 'node:http'
import { readRecordedAnswer } from './recorded-answer.ts'

/*
 * The same on bare node:http: the head from an array made before, and all of the answer in one write, which are the fastest
 * ways that it has.
 */

const { status, headers, body } = readRecordedAnswer()
const code = Number.parseInt(status, 10)
const bytes = Buffer.from(body)
const lines = headers.flat()
if (bytes.length > 0) lines.push('content-length', String(bytes.length))

createServer(({ url }, response) => {
  response.writeHead(url === '/ready' ? 200 : code, lines)
  response.end(bytes)
}).listen(Number(process.env.PORT), '127.0.0.1')
