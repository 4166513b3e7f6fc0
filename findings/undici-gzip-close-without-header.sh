#!/usr/bin/env bash
# undici's fetch (6.24.1, which is that of Node.js 20.20.2) asked to close the connection (`Connection: close`) fails with "other side
# closed" for a compressed answer with a Content-Length whose server closes behind it without saying so in a header, although
# every byte has arrived: it stops reading while it unpacks, and takes the end of the connection for that of the answer. Not
# compressed, or with `Connection: close` in the answer, it is read. Exits non-zero once all are read.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . undici@6.24.1 > /dev/null
cat > close.mjs <<'SCRIPT'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { fetch } from 'undici'

const text = Buffer.from(randomBytes(600_000).toString('hex'))
const cases = [
  ['compressed', gzipSync(text), 'Content-Encoding: gzip\r\n', 'other side closed'],
  ['compressed, and says that it closes', gzipSync(text), 'Content-Encoding: gzip\r\nConnection: close\r\n', 'read'],
  ['not compressed', text, '', 'read'],
]

let isAsEver = true
for (const [what, body, headers, expected] of cases) {
  const head = `HTTP/1.1 200 OK\r\n${headers}Content-Length: ${body.length}\r\n\r\n`
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.concat([Buffer.from(head), body])))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const found = await fetch(`http://127.0.0.1:${server.address().port}/`, { headers: { connection: 'close' } })
    .then((answer) => answer.arrayBuffer())
    .then((bytes) => (bytes.byteLength === text.length ? 'read' : 'cut off'))
    .catch((error) => error.cause?.message ?? error.message)
  console.log(`undici@6.24.1, ${what}: ${found}`)
  isAsEver &&= found === expected
  server.close()
}
process.exit(isAsEver ? 0 : 1)
SCRIPT
node close.mjs
