import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createClient, signIn } from '../support/client.ts'
import { runCommand } from '../support/command-line.ts'
import { eachDatabase } from '../support/databases.ts'
import { startProcess, withProject } from '../support/process.ts'
import { adminEmail, adminPassword, type Project } from '../support/project.ts'
import { slow } from '../support/scope.ts'

const goodPassword = 'correct horse battery'

const admin = (project: Project, args: readonly string[], input?: string) =>
  runCommand(project, ['admin', ...args], input)

const stdin = ['--password-stdin']

eachDatabase((database) => {
  it('sets a lost password beside a running service, whose sessions end, and records it', slow, () =>
    withProject({ database: database.name }, async (project) => {
      const service = startProcess({ project })
      const url = await service.ready()
      const before = await signIn(url, adminEmail, adminPassword)
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const body = { identifier: adminEmail, password: 'wrong' }
        await createClient(url).post('/api/admin/auth/login', body)
      }
      const done = await admin(project, ['reset-password', adminEmail, ...stdin], `${goodPassword}\n`)
      assert.deepEqual([done.code, done.stderr], [0, ''])
      assert.match(
        done.stdout,
        /^set a new password for admin <admin@example\.com>, whose sessions have ended/,
      )
      assert.ok(!`${done.stdout}${done.stderr}`.includes(goodPassword))

      // The process hears of it within a second; a login reads the account anew and is not locked any more.
      const body = { identifier: 'admin', password: goodPassword }
      const { status, body: answer } = await createClient(url).post('/api/admin/auth/login', body)
      assert.deepEqual([status, answer.data?.user.mustChangePassword], [200, true])
      const after = createClient(url, answer.data.token)
      assert.equal(
        (await createClient(url).post('/api/admin/auth/login', { ...body, password: adminPassword })).status,
        401,
      )
      const endsAt = Date.now() + 30_000
      while ((await before.get('/api/admin/auth/me')).status !== 401) assert.ok(Date.now() < endsAt)
      const logs = (await after.get('/api/admin/audit-logs?action=user.update')).body.data
      assert.deepEqual(logs[0].details, { fields: ['password'], by: 'command line' })
      await service.end('SIGTERM')
    }),
  )

  it('makes a super-admin with a password that is shown once', slow, () =>
    withProject({ database: database.name }, async (project) => {
      const service = startProcess({ project })
      const url = await service.ready()
      const made = await admin(project, ['create', 'Rescue@example.com', '--generate'])
      assert.deepEqual([made.code, made.stderr], [0, ''])
      assert.match(made.stdout, /^made Rescue <rescue@example\.com>, super-admin\n/)
      const password = /password: (\S+) - shown this once/.exec(made.stdout)?.[1] ?? ''
      const client = await signIn(url, 'rescue@example.com', password)
      assert.equal((await client.get('/api/admin/auth/me')).body.data.role, 'super-admin')
      const editor = ['create', 'e@example.com', '--username', 'eve', '--role', 'editor', ...stdin]
      assert.equal((await admin(project, editor, goodPassword)).code, 0)
      const logs = (await client.get('/api/admin/audit-logs?action=user.create')).body.data
      assert.equal(logs.length, 2)
      await service.end('SIGTERM')
    }),
  )
})

describe('npm run mortise -- admin', slow, () => {
  it('keeps to the rules of the API and leaves the tables of a database alone', () =>
    withProject({}, async (project) => {
      const empty = await admin(project, ['reset-password', 'admin', ...stdin], goodPassword)
      assert.equal(empty.code, 1)
      assert.match(
        empty.stderr,
        /start the service once, or run `mortise database sync`: that makes its tables/,
      )

      const service = startProcess({ project })
      await service.ready()
      const refused: [string[], string, RegExp][] = [
        [['reset-password', 'admin', ...stdin], 'short', /password must have at least 8 characters/],
        [['reset-password', 'admin', ...stdin], 'password1', /password is among the most common/],
        [['reset-password', 'nobody', ...stdin], goodPassword, /admin user nobody/],
        [['create', 'admin@example.com', ...stdin], goodPassword, /email|username/],
        [['create', 'nonsense', ...stdin], goodPassword, /email/],
        [['create', 'x@example.com', '--role', 'authenticated', ...stdin], goodPassword, /role/],
        [['reset-password', 'admin'], goodPassword, /without a terminal.*--password-stdin or --generate/s],
        [['reset-password'], '', /missing required argument 'account'/],
        [['drop', 'admin', ...stdin], goodPassword, /unknown command 'drop'/],
        [['reset-password', 'admin', 'extra', ...stdin], goodPassword, /too many arguments/],
        [['reset-password', 'admin', '--password', 'x'], '', /unknown option/],
      ]
      for (const [args, input, message] of refused) {
        const { code, stdout, stderr } = await admin(project, args, input)
        assert.deepEqual([code, stdout], [1, ''], args.join(' '))
        assert.match(stderr, message)
        assert.ok(!stderr.includes('    at '), stderr)
      }
      await service.signIn()
      await service.end('SIGTERM')
    }))
})
