#!/usr/bin/env bash
# The `socketTimeout` of @smithy/node-http-handler 4.14.2, the transport of the AWS SDK for JavaScript v3, ends answers whose
# reader takes its time. A reader that does not ask for more makes Node.js stop reading the socket, which is then without activity
# although the server has said all: after `socketTimeout` the answer is destroyed with a TimeoutError (src/set-socket-timeout.ts).
# So a small limit for silent servers cuts downloads of slow clients off. A limit that asks whether there is something to read
# (`answer.readableLength > 0`) does not.
# Expected: the reader that pauses gets a TimeoutError; the same one without `socketTimeout` gets all. Exits non-zero once it is mended.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . @smithy/node-http-handler@4.14.2 > /dev/null
cat > reader.mjs <<'SCRIPT'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { NodeHttpHandler } from '@smithy/node-http-handler'

const length = 1024 * 1024
const server = createServer((_, response) => response.end(Buffer.alloc(length)))
await once(server.listen(0, '127.0.0.1'), 'listening')
const { port } = server.address()

async function read(options) {
  const handler = new NodeHttpHandler(options)
  const request = { protocol: 'http:', hostname: '127.0.0.1', port, method: 'GET', path: '/', headers: {} }
  const { response } = await handler.handle(request)
  let read = 0
  try {
    for await (const bytes of response.body) {
      if (read === 0) await pause(1_000)
      read += bytes.length
    }
    return read === length ? 'all of it' : `${read} bytes`
  } catch (error) {
    return error.name
  } finally {
    handler.destroy()
  }
}

const limited = await read({ socketTimeout: 200 })
const unlimited = await read({ socketTimeout: 0 })
server.close()
console.log('@smithy/node-http-handler 4.14.2, a reader that pauses for a second')
console.log(`with a socketTimeout of 200 ms: ${limited}; without: ${unlimited}`)
process.exit(limited === 'TimeoutError' && unlimited === 'all of it' ? 0 : 1)
SCRIPT
node reader.mjs
