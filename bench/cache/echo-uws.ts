import uWS from 'uWebSockets.js'
import { readRecordedAnswer } from './recorded-answer.ts'

/*
 * Bare uWebSockets.js that sends one fixed response to every request, with the same status, headers and bytes as the service: the
 * upper bound for any cache.
 */

const { status, headers, body } = readRecordedAnswer()
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
