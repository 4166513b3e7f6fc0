#!/usr/bin/env bash
# nodemailer 10.6.0 sends an address with letters beyond ASCII as raw UTF-8 to a server that does not offer SMTPUTF8 (RFC 6531,
# section 3.2: it must not), and without a word: whether the mail arrives, bounces or goes astray is up to the server
# (dist/esm/smtp-connection/index.js, _setEnvelope). Exits non-zero once it refuses.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . nodemailer@10.6.0 > /dev/null
cat > utf8.mjs <<'SCRIPT'
import { createServer } from 'node:net'
import { createTransport } from 'nodemailer'

const heard = []
const server = createServer((socket) => {
  socket.write('220 x ESMTP\r\n')
  let isText = false
  socket.on('data', (data) => {
    for (const line of data.toString().split('\r\n').filter((each) => each !== '')) {
      if (isText && line !== '.') continue
      if (/^(MAIL|RCPT)/.test(line)) heard.push(line)
      isText = line === 'DATA'
      socket.write(line.startsWith('EHLO') ? '250-x\r\n250 8BITMIME\r\n' : isText ? '354 go on\r\n' : '250 fine\r\n')
    }
  })
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const smtp = createTransport({ host: '127.0.0.1', port: server.address().port, ignoreTLS: true })
const to = '用户@example.com'
const outcome = await smtp.sendMail({ from: 'a@example.com', to, text: 'x' }).then(() => 'accepted', (error) => error.message)
console.log(`${outcome}: ${heard.join(' | ')}`)
server.close()
const isSentRaw = heard.includes(`RCPT TO:<${to}>`) && !heard[0].includes('SMTPUTF8')
process.exit(outcome === 'accepted' && isSentRaw ? 0 : 1)
SCRIPT
node utf8.mjs
