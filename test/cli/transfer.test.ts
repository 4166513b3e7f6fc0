import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runCommand } from '../support/command-line.ts'
import { withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'

it('npm run mortise -- transfer compares, pushes and pulls', slow, () =>
  withProject({}, async (project) => {
    assert.equal((await runCommand(project, ['database', 'sync'])).code, 0)
    const there = await startService()
    try {
      const { body } = await there.admin.post('/api/admin/api-tokens', { name: 'cli', scopes: ['admin:*'] })
      const made = await there.admin.post('/api/content/author', { name: 'Ann' })
      const asked = { ...project, env: { ...project.env, MORTISE_TRANSFER_TOKEN: body.data.token } }
      const run = (...args: string[]) => runCommand(asked, ['transfer', ...args])

      const diff = await run('diff', there.url, '--types', 'author', '--pull')
      assert.equal(diff.code, 0, diff.stderr)
      assert.match(
        diff.stdout,
        /^From 127\.0\.0\.1:\d+ to here:\ncontent:author: 1 missing there, 0 equal\n {2}missing there: content:author:\S+ Ann$/m,
      )
      assert.match(
        (await run('pull', there.url, '--types', 'author')).stderr,
        /cannot ask without a terminal: use --yes/,
      )
      const pull = await run('pull', there.url, '--types', 'author', '--yes')
      assert.match(pull.stdout, /^Transferred:\n {2}content:author: 1 written, 0 removed$/m, pull.stderr)
      assert.match(
        (await run('push', there.url, '--types', 'author', '--yes')).stdout,
        /^Nothing to transfer$/m,
      )

      await there.admin.put(`/api/content/author/${made.body.data.id}`, { name: 'Eve' })
      const { json } = {
        json: JSON.parse((await run('diff', there.url, '--types', 'author', '--json')).stdout),
      }
      assert.equal(json.sections[0].differences[0].difference, 'ahead')
      const key = json.sections[0].differences[0].key
      const resolved = await run(
        'push',
        there.url,
        '--yes',
        '--entries',
        `author:${key}`,
        '--resolve',
        `author:${key}=source`,
      )
      assert.equal(resolved.code, 0, resolved.stderr)
      assert.equal((await there.admin.get(`/api/content/author/${made.body.data.id}`)).body.data.name, 'Ann')

      const refusals: [string[], RegExp][] = [
        [['push', there.url, '--types', 'nothing', '--yes'], /content:nothing is not on the side here/],
        [
          ['push', there.url, '--on-conflict', 'mine', '--yes'],
          /--on-conflict has no mine; there are source/,
        ],
        [['push', 'ftp://example.com', '--yes'], /must begin with https/],
        [['push', 'http://example.com', '--yes'], /would send the token unencrypted/],
        [['push', 'http://127.0.0.1:1/', '--yes'], /127\.0\.0\.1:1 cannot be reached/],
        [['diff', `${there.url}/nowhere`], /127\.0\.0\.1:\d+/],
      ]
      for (const [args, message] of refusals) {
        const { code, stderr } = await run(...args)
        assert.deepEqual([code, stderr.includes('    at ')], [1, false], stderr)
        assert.match(stderr, message)
      }
      const { stderr } = await runCommand(project, ['transfer', 'diff', there.url])
      assert.match(stderr, /set MORTISE_TRANSFER_TOKEN/)
      assert.match((await run('renew')).stdout, /^This environment is [0-9a-f-]{36} from now on$/m)
    } finally {
      await there.stop()
    }
  }),
)
