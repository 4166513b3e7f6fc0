import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { backupRestoreCommand } from '../../cli/backup.ts'
import { silentLog } from '../../kernel/index.ts'
import { runCommand } from '../support/command-line.ts'
import { eachDatabase } from '../support/databases.ts'
import { startProcess, withProject } from '../support/process.ts'
import type { Project } from '../support/project.ts'
import { slow } from '../support/scope.ts'

const commandsIn = (project: Project) => ({
  async json(...args: string[]) {
    const { code, stdout, stderr } = await runCommand(project, ['backup', ...args, '--json'])
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  },
  async refusal(...args: string[]) {
    const { code, stdout, stderr } = await runCommand(project, ['backup', ...args])
    assert.deepEqual([code, stdout], [1, ''])
    assert.ok(!stderr.includes('    at '), stderr)
    return stderr
  },
})

eachDatabase((database) => {
  it('backs up and restores beside a running service, and without one', slow, () =>
    withProject({ database: database.name }, async (project) => {
      const { json } = commandsIn(project)
      const service = startProcess({ project })
      const admin = await service.signIn()
      const made = await admin.post('/api/content/author', { name: 'Ann' })
      assert.equal(made.status, 201)
      const backup = await json('create', '--name', 'Early', '--sections', 'content')
      assert.deepEqual([backup.status, backup.name, backup.sections.media], ['completed', 'Early', false])
      await admin.put(`/api/content/author/${made.body.data.id}`, { name: 'Eve' })

      const preview = await json('restore', '1', '--dry-run')
      assert.equal(preview.changes.content.author.changed, 1)
      const restored = await json('restore', '1', '--yes')
      assert.equal(restored.restored.content.author, 1)
      const names = async () =>
        (await admin.get('/api/content/author')).body.data.map(({ name }: { name: string }) => name)
      assert.deepEqual(await names(), ['Ann'])
      const [log] = (await admin.get('/api/admin/audit-logs?action=backup.restore')).body.data
      assert.deepEqual(log.details, { sections: ['content'], by: 'command line' })
      await service.end('SIGTERM')

      assert.equal((await json('create')).id, 2)
      assert.deepEqual(
        (await json('list')).map(({ id }: { id: number }) => id),
        [2, 1],
      )
      assert.equal((await json('restore', '1', '--yes')).success, true)
    }),
  )
})

describe('npm run mortise -- backup', slow, () => {
  it('takes a file from one project to another, and refuses what is wrong', () =>
    withProject({}, async (project) => {
      const { json, refusal } = commandsIn(project)
      assert.equal((await runCommand(project, ['database', 'sync'])).code, 0)
      await json('create')
      assert.match(
        (await runCommand(project, ['backup', 'download', '1', 'one.tar'])).stdout,
        /^Wrote one\.tar$/m,
      )
      const file = join(project.workingDirectory, 'one.tar')
      assert.equal(statSync(file).mode & 0o777, 0o600)
      assert.match(await refusal('download', '1', 'one.tar'), /one\.tar already exists/)
      assert.match(await refusal('download', '7'), /backup 7/)
      assert.ok(!existsSync(join(project.workingDirectory, 'backup-7.tar')))
      assert.match(await refusal('restore', '1'), /cannot ask without a terminal: use --yes/)
      assert.match(await refusal('restore', 'one', '--yes'), /one is not the number of a backup/)
      assert.match(await refusal('create', '--sections', 'contents'), /has no contents; there are schemas/)
      project.write('broken.tar', 'no archive')
      assert.match(await refusal('upload', 'broken.tar'), /backup|archive/)
      assert.match(await refusal('upload', 'missing.tar'), /missing\.tar cannot be read/)

      await withProject({}, async (other) => {
        const there = commandsIn(other)
        assert.equal((await runCommand(other, ['database', 'sync'])).code, 0)
        const added = await there.json('upload', file, '--name', 'From elsewhere')
        assert.deepEqual([added.id, added.name, added.status], [1, 'From elsewhere', 'completed'])
        assert.equal((await there.json('restore', '1', '--yes', '--sections', 'content')).success, true)
      })
    }))

  it('asks before a restore, and changes nothing without a yes', () =>
    withProject({}, async (project) => {
      const { json } = commandsIn(project)
      assert.equal((await runCommand(project, ['database', 'sync'])).code, 0)
      await json('create')
      const answering = async (typed: string) => {
        const input = Object.assign(Readable.from([typed]), { isTTY: true })
        const output = new PassThrough()
        const restore = async () =>
          backupRestoreCommand.run({
            arguments: { id: '1' },
            options: { dryRun: false, yes: false },
            project: { ...project, log: silentLog },
            terminal: { input, output },
            signal: new AbortController().signal,
            progress: () => undefined,
          })
        const answer = await restore().then(
          (result) => (typeof result === 'object' ? result.text : result),
          (error: Error) => error.message,
        )
        return { answer, asked: String(output.read()) }
      }
      for (const typed of ['no\n', 'y\n', '\n', '']) {
        const { answer, asked } = await answering(typed)
        assert.equal(answer, 'nothing was changed', JSON.stringify(typed))
        assert.match(asked, /^Replace the content with that of backup 1\? \(yes\/no\) $/)
      }
      const { answer } = await answering(' Yes\n')
      assert.match(answer ?? '', /^Restored backup 1/)
    }))
})
