import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { expectStatus } from '../api/auth-callers.ts'
import { runCommand } from '../support/command-line.ts'
import { startProcess, withProject } from '../support/process.ts'
import { startService } from '../support/service.ts'
import { type Postfix, skipWithoutPostfix, startPostfix } from './postfix.ts'

/** A real Postfix with the certificate that it was installed with (docs/email.md#encryption). */
describe('through Postfix', { skip: skipWithoutPostfix }, () => {
  let postfix: Postfix
  before(async () => {
    postfix = await startPostfix()
  })
  after(() => postfix?.stop())

  const settings = (more: Record<string, string> = {}) => ({
    SVC_EMAIL_HOST: '127.0.0.1',
    SVC_EMAIL_PORT: String(postfix.port),
    SVC_EMAIL_FROM: 'Our CMS <cms@example.com>',
    ...more,
  })

  /** The result of a test mail to an address, by a service with these settings. */
  async function tried(to: string, more: Record<string, string> = {}) {
    const service = await startService({ env: settings(more) })
    try {
      return expectStatus(await service.admin.post('/api/admin/email/test', { to }), 200).body.data
    } finally {
      await service.stop()
    }
  }

  it('mail leaves encrypted without a setting, and the test mail says what the certificate is worth', async () => {
    const { sent, error, connection } = await tried('plain-start@example.com')
    assert.deepEqual([sent, error], [true, null])
    assert.match(connection.encryption, /^TLSv1\.[23]$/)
    assert.equal(connection.isTrusted, false)
    assert.match(connection.problem, /^(UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN)$/)
    const mail = await postfix.delivered('plain-start@example.com')
    assert.match(mail, /with ESMTPS id/)
    assert.match(mail, /^Auto-Submitted: auto-generated$/m)
    assert.match(mail, /^X-Auto-Response-Suppress: OOF, AutoReply$/m)
    assert.match(mail, /^Message-ID: <[\w-]+@example\.com>$/m)
    assert.match(mail, /^Date: .* \+0000$/m)
  })

  it('mail leaves without encryption where the server has none', async () => {
    const { sent, connection } = await tried('bare@example.com', {
      SVC_EMAIL_PORT: String(postfix.plainPort),
    })
    assert.deepEqual([sent, connection], [true, { encryption: null, isTrusted: null, problem: null }])
    assert.match(await postfix.delivered('bare@example.com'), /with ESMTP id/)
  })

  it('where TLS is insisted on, nothing leaves unless the certificate is valid, and the error says what to do', async () => {
    const unknown = await tried('strict@example.com', { SVC_EMAIL_REQUIRE_TLS: 'true' })
    assert.deepEqual([unknown.sent, unknown.connection], [false, null])
    assert.match(
      unknown.error,
      /email\.requireTls is set, so the certificate must be valid: .*NODE_EXTRA_CA_CERTS.*SVC_EMAIL_ALLOW_INVALID_CERTIFICATE=true/,
    )
    const bare = await tried('strict@example.com', {
      SVC_EMAIL_REQUIRE_TLS: 'true',
      SVC_EMAIL_ALLOW_INVALID_CERTIFICATE: 'true',
      SVC_EMAIL_PORT: String(postfix.plainPort),
    })
    assert.match(
      bare.error,
      /STARTTLS.*email\.requireTls is set, so it must be encrypted: use a port with STARTTLS/,
    )
    const any = await tried('any@example.com', {
      SVC_EMAIL_REQUIRE_TLS: 'true',
      SVC_EMAIL_ALLOW_INVALID_CERTIFICATE: 'true',
    })
    assert.deepEqual([any.sent, any.connection.isTrusted], [true, false])
    await postfix.delivered('any@example.com')
    assert.ok(!postfix.mailbox().some((mail) => mail.includes('strict@example.com')))
  })

  it('an authority of one’s own is known by NODE_EXTRA_CA_CERTS, for the name that the certificate is made out to', async () => {
    const strict = { SVC_EMAIL_REQUIRE_TLS: 'true', NODE_EXTRA_CA_CERTS: postfix.ca }
    await withProject({ env: settings({ ...strict, SVC_EMAIL_HOST: 'localhost' }) }, async (project) => {
      const service = startProcess({ project })
      const admin = await service.signIn()
      const test = async (to: string) =>
        expectStatus(await admin.post('/api/admin/email/test', { to }), 200).body.data
      const { sent, connection } = await test('known@example.com')
      assert.deepEqual([sent, connection.isTrusted, connection.problem], [true, true, null])
      await postfix.delivered('known@example.com')
      await service.end('SIGTERM')
      const byAddress = startProcess({ project, env: { SVC_EMAIL_HOST: '127.0.0.1' } })
      const other = await byAddress.signIn()
      const refused = (await other.post('/api/admin/email/test', { to: 'other@example.com' })).body.data
      assert.match(
        refused.error,
        /does not match certificate's altnames.*use the name that the certificate is made out to/,
      )
      await byAddress.end('SIGTERM')
    })
  })

  it('doctor says how the connection is protected', async () => {
    const said = (more: Record<string, string> = {}) =>
      withProject({ env: settings(more) }, async (project) => {
        const { stdout } = await runCommand(project, ['doctor', '--json'])
        const findings: { check: string; status: string; message: string }[] = JSON.parse(stdout).findings
        return findings.find(({ check }) => check === 'mail')
      })
    const local = await said()
    assert.equal(local?.status, 'ok')
    assert.match(
      local?.message ?? '',
      /encrypted \(TLSv1\.\d\), the certificate proves nothing \(\w+\), and stays on this machine$/,
    )
    const bare = await said({ SVC_EMAIL_PORT: String(postfix.plainPort) })
    assert.match(bare?.message ?? '', /is not encrypted, and stays on this machine$/)
    const strict = await said({ SVC_EMAIL_REQUIRE_TLS: 'true' })
    assert.equal(strict?.status, 'broken')
    assert.match(strict?.message ?? '', /so the certificate must be valid/)
  })

  it('internationalised addresses get their mail, and a server that cannot take them is named as that', async () => {
    const { sent, error } = await tried('用户@例子.广告')
    assert.deepEqual([sent, error], [true, null])
    const mail = await postfix.delivered('用户@xn--fsqu00a.xn--4rr70v')
    assert.match(mail, /with UTF8SMTPS id/)
    const ascii = { SVC_EMAIL_PORT: String(postfix.asciiPort) }
    assert.match(
      (await tried('用户@例子.广告', ascii)).error,
      /takes no addresses with letters beyond ASCII before the @ \(SMTPUTF8\)/,
    )
    // The domain alone needs nothing of the server.
    assert.equal((await tried('user@例子.广告', ascii)).sent, true)
    await postfix.delivered('user@xn--fsqu00a.xn--4rr70v')
  })
})
