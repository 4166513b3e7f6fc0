import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectStatus } from '../api/auth-callers.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { smtpPassword, smtpUser } from './mail-server.ts'
import { startScriptedServer } from './scripted-server.ts'

const login = '250-scripted\r\n250-AUTH PLAIN LOGIN CRAM-MD5\r\n250 SMTPUTF8'

/** What whoever sits between the service and its mail server can answer. */
const downgrades: Record<string, Record<string, string>> = {
  'offers no STARTTLS, and AUTH': { EHLO: login, STARTTLS: '502 unknown' },
  'takes STARTTLS out of what is offered, and answers it with an error': {
    EHLO: login.replace('250-AUTH', '250-XXXXXXXA\r\n250-AUTH'),
    STARTTLS: '454 TLS not available',
  },
  'offers STARTTLS, and refuses it': { EHLO: `250-STARTTLS\r\n${login}`, STARTTLS: '454 TLS not available' },
  'agrees to STARTTLS, and goes on without': {
    EHLO: `250-STARTTLS\r\n${login}`,
    STARTTLS: '220 go ahead\r\n250 no',
  },
  'agrees to STARTTLS, and adds what it offers': {
    EHLO: `250-STARTTLS\r\n${login}`,
    STARTTLS: `220 go ahead\r\n${login}\r\n235 welcome`,
  },
  'knows no EHLO': { EHLO: '502 unknown', HELO: '250 fine' },
}

/** The password in each way in which it is sent. */
const secrets = [smtpPassword, btoa(smtpPassword), btoa(`\0${smtpUser}\0${smtpPassword}`), 'AUTH ']

async function trial(answers: Record<string, string>, env: Record<string, string>) {
  const server = await startScriptedServer(answers)
  const address = { SVC_EMAIL_HOST: '127.0.0.1', SVC_EMAIL_PORT: String(server.port) }
  const service = await startService({ env: { ...address, SVC_EMAIL_FROM: 'cms@example.com', ...env } })
  try {
    const answer = await service.admin.post('/api/admin/email/test', { to: 'a@example.com' })
    return { ...expectStatus(answer, 200).body.data, heard: server.heard() }
  } finally {
    await service.stop()
    await server.close()
  }
}

describe('a mail server that', slow, () => {
  for (const [what, answers] of Object.entries(downgrades)) {
    it(`${what}, is sent no password and no mail`, async () => {
      const account = { SVC_EMAIL_USER: smtpUser, SVC_SMTP_PASSWORD: smtpPassword }
      for (const more of [{}, { SVC_EMAIL_ALLOW_INVALID_CERTIFICATE: 'true' }]) {
        const { sent, error, heard } = await trial(answers, { ...account, ...more })
        assert.equal(sent, false)
        assert.match(error, /the password goes over this connection, so it must be encrypted|EHLO failed/)
        for (const secret of secrets) assert.ok(!heard.includes(secret), heard)
        assert.doesNotMatch(heard, /MAIL FROM/i)
      }
    })

    it(`${what}, is sent mail where nobody signs in`, async () => {
      const { sent, error, connection } = await trial(answers, {})
      assert.deepEqual([sent, error], [true, null])
      assert.equal(connection.encryption, null)
      const strict = await trial(answers, { SVC_EMAIL_REQUIRE_TLS: 'true' })
      assert.equal(strict.sent, false)
      assert.doesNotMatch(strict.heard, /MAIL FROM/i)
    })
  }
})

/** What a server that does not know AUTH, though it offers it, says to each line. */
const quoting = (word: string, line: string) => ({
  EHLO: `250-scripted\r\n250 AUTH ${word}`,
  AUTH: word === 'PLAIN' ? `500 5.5.1 Command unrecognized: "AUTH PLAIN ${line}"` : '334 VXNlcm5hbWU6',
  [btoa(smtpUser).toUpperCase()]: '334 UGFzc3dvcmQ6',
  [line.toUpperCase()]: `500 5.5.1 Command unrecognized: "${line}", which is ${smtpPassword.slice(0, -1)}`,
})

describe('a mail server that quotes the login', () => {
  const forms = { PLAIN: btoa(`\0${smtpUser}\0${smtpPassword}`), LOGIN: btoa(smtpPassword) }
  for (const [word, line] of Object.entries(forms)) {
    it(`has no part of the password told to administrators (${word})`, async () => {
      const { error, heard } = await trial(quoting(word, line), {
        SVC_EMAIL_USER: smtpUser,
        SVC_SMTP_PASSWORD: smtpPassword,
        SVC_EMAIL_ALLOW_UNENCRYPTED_AUTH: 'true',
      })
      assert.ok(heard.includes(line))
      assert.match(error, /Command unrecognized/)
      for (const secret of [line, line.slice(0, -4), smtpPassword, smtpPassword.slice(0, -1)]) {
        assert.ok(!error.includes(secret), error)
      }
    })
  }
})
