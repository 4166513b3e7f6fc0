import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runCommand } from '../support/command-line.ts'
import { withProject } from '../support/process.ts'
import type { Project } from '../support/project.ts'

interface Finding {
  readonly check: string
  readonly status: string
  readonly message: string
  readonly remedy?: string
}

async function examined(project: Project): Promise<{ code: number | null; of(check: string): Finding[] }> {
  const { code, stdout, stderr } = await runCommand(project, ['doctor', '--json'])
  assert.equal(stderr, '')
  const { findings, isBroken } = JSON.parse(stdout) as { findings: Finding[]; isBroken: boolean }
  assert.equal(code, isBroken ? 1 : 0)
  return { code, of: (check) => findings.filter((finding) => finding.check === check) }
}

describe('npm run mortise -- doctor', () => {
  it('finds a project sound once it has tables, and says what to do before', () =>
    withProject({}, async (project) => {
      const fresh = await examined(project)
      assert.equal(fresh.code, 0)
      assert.match(fresh.of('database')[0]?.remedy ?? '', /start the service, or run `mortise database sync`/)
      assert.equal((await runCommand(project, ['database', 'sync'])).code, 0)
      const sound = await examined(project)
      const states = ['versions', 'settings', 'plugins', 'database', 'storage', 'Redis', 'mail', 'disk'].map(
        (check) => `${check} ${sound.of(check)[0]?.status}`,
      )
      assert.deepEqual(states, [
        ...['versions ok', 'settings ok', 'plugins ok', 'database ok'],
        ...['storage ok', 'Redis skipped', 'mail skipped', 'disk ok'],
      ])
    }))

  it('names what is broken with its remedy and without secrets, and ends with 1', () =>
    withProject(
      {
        files: { 'plugins/bad/plugin.js': 'throw new Error("bad day")' },
        env: {
          DATABASE_URL: 'postgres://me:hidden-word@127.0.0.1:1/none',
          REDIS_URL: 'redis://:hidden-word@127.0.0.1:1',
          SVC_EMAIL_HOST: '127.0.0.1',
          SVC_EMAIL_PORT: '1',
          SVC_EMAIL_FROM: 'a@example.com',
        },
      },
      async (project) => {
        const broken = await examined(project)
        assert.equal(broken.code, 1)
        assert.match(broken.of('plugins')[0]?.message ?? '', /^bad: cannot be loaded: bad day/)
        assert.match(broken.of('database')[0]?.remedy ?? '', /start the database server/)
        assert.equal(broken.of('Redis')[0]?.status, 'broken')
        assert.equal(broken.of('mail')[0]?.status, 'broken')
        const { code, stdout, stderr } = await runCommand(project, ['doctor'])
        assert.deepEqual([code, stderr], [1, ''])
        assert.match(stdout, /^plugins +broken +bad: cannot be loaded: bad day$/m)
        assert.ok(!stdout.includes('hidden-word'))
      },
    ))

  it('tells a bad secret in production', () =>
    withProject({ env: { NODE_ENV: 'production', JWT_SECRET: '' } }, async (project) => {
      const { code, of } = await examined(project)
      assert.equal(code, 1)
      assert.match(of('settings')[0]?.message ?? '', /^JWT_SECRET /)
    }))
})
