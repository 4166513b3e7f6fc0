import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { slow } from '../support/scope.ts'
import { buildScript } from './build-script.ts'

it(
  'the reports of the public API are current; `npm run api-report` renews them on purpose',
  slow,
  async () => {
    const check = promisify(execFile)(process.execPath, buildScript('api-report.ts', '--check'))
    await check.catch(({ stderr }: { stderr: string }) => assert.fail(stderr))
  },
)
