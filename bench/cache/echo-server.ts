import uWS from 'uWebSockets.js'
import { readFileSync } from 'node:fs'

/*
 * Bare uWebSockets.js that sends one answer, whatever is asked: the same status, headers and bytes as the service. Nothing
 * that keeps answers can be faster.
 */

interface RecordedAnswer {
  readonly status: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

const { status, headers, body } = JSON.parse(
  readFileSync(process.env.ANSWER_FILE ?? '', 'utf8'),
) as RecordedAnswer
const bytes = Buffer.from(body)

uWS
  .App()
  .get('/ready', (response) => void response.end('ready'))
  .any('/*', (response) => {
    response.cork(() => {
      response.writeStatus(status)
      for (const [name, value] of headers) response.writeHeader(name, value)
      if (bytes.length === 0) response.endWithoutBody()
      else response.end(bytes)
    })
  })
  .listen('127.0.0.1', Number(process.env.PORT), () => {})
