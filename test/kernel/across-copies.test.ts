import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import * as entryPoint from 'mortise/plugin'
import { translatedFile } from '../../core-plugins/foundation/config/config.ts'
import { StartupError } from '../../kernel/index.ts'

const root = join(import.meta.dirname, '../..')

/** The module once more, as another copy of the package has it. */
const importCopy = (path: string) => import(`${pathToFileURL(translatedFile(join(root, path))).href}?copy`)

describe('another copy of the package', () => {
  it('throws errors and answers that this one recognises', async () => {
    const { AppError } = await importCopy('core-plugins/foundation/http/answers/app-error.ts')
    const { created } = await importCopy('core-plugins/foundation/http/answers/reply.ts')
    const { DatabaseError } = await importCopy('core-plugins/foundation/database/database-error.ts')
    const { UnretriableJobError } = await importCopy('core-plugins/background/jobs/jobs.ts')
    const { PluginFault } = await importCopy('kernel/plugin-fault.ts')
    const copiedKernel = await importCopy('kernel/startup-error.ts')

    assert.notEqual(AppError, entryPoint.AppError)
    assert.ok(AppError.notFound('entry') instanceof entryPoint.AppError)
    assert.equal(entryPoint.asAppError(AppError.forbidden('no')).code, 'FORBIDDEN')
    assert.ok(new DatabaseError('unique', 'taken') instanceof entryPoint.DatabaseError)
    assert.ok(new PluginFault('shop', new Error('closed')) instanceof entryPoint.PluginFault)
    assert.ok(new UnretriableJobError('never') instanceof entryPoint.UnretriableJobError)
    assert.ok(new copiedKernel.StartupError('no', []) instanceof StartupError)
    assert.ok(created({}) instanceof entryPoint.Reply)
  })

  it('is not confused with other classes', () => {
    class Own extends entryPoint.AppError {}
    const error = entryPoint.AppError.forbidden('no')
    assert.ok(new Own('FORBIDDEN', 'no') instanceof entryPoint.AppError)
    assert.ok(!(error instanceof Own))
    assert.ok(!(error instanceof entryPoint.DatabaseError))
    for (const other of [new Error('no'), { code: 'FORBIDDEN' }, null, undefined, 'AppError']) {
      assert.ok(!((other as unknown) instanceof entryPoint.AppError))
    }
  })
})
